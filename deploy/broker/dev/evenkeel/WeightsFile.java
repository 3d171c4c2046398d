package dev.evenkeel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file of weights, read again when it changes: one thread for each path, since a broker makes many assignors and closes none. */
final class WeightsFile {
    private static final Logger LOG = LoggerFactory.getLogger(WeightsFile.class);
    private static final Map<Path, WeightsFile> ALL = new ConcurrentHashMap<>();
    private static final long LARGEST = 64L << 20;
    private static final long LOOK_MS = 500;
    private static final long AHEAD_MS = 300_000;

    /** Two versions within one tick of the clock of a file system have the same time; a file that is replaced has another key. */
    private record Version(FileTime changed, long size, Object key) {
    }

    private final Path path;
    private Version seen;
    private volatile Weights last = Weights.NONE;

    private WeightsFile(Path path) {
        this.path = path;
    }

    /** Returns what reads a path; it has been read once. */
    static WeightsFile of(Path path) {
        return ALL.computeIfAbsent(path.toAbsolutePath(), one -> {
            WeightsFile made = new WeightsFile(one);
            made.look();
            Thread reader = new Thread(made::watch, "evenkeel-weights");
            reader.setDaemon(true);
            reader.start();
            return made;
        });
    }

    /** Returns the last good weights, none where they are too old, or further ahead of the clock than clocks differ. */
    Weights latest(long maxAgeMs) {
        Weights found = last;
        long age = System.currentTimeMillis() - found.asOfMs();
        return age > maxAgeMs || age < -AHEAD_MS ? Weights.NONE : found;
    }

    private void watch() {
        while (true) {
            try {
                Thread.sleep(LOOK_MS);
            } catch (InterruptedException ended) {
                return;
            }
            look();
        }
    }

    /** Reads the file if it has changed since the last look. */
    synchronized void look() {
        Version found = version();
        if (found == null || found.equals(seen)) {
            seen = found;
            return;
        }
        seen = found;
        try {
            if (found.size() > LARGEST) {
                throw new IllegalArgumentException("it is larger than " + (LARGEST >> 20) + " MB");
            }
            last = Weights.read(Files.readString(path));
            LOG.info("{}: weights of {} topics, {} plans", path, last.byTopic().size(), last.plans().size());
        } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError wrong) {
            warn(wrong);
        }
    }

    /** Returns which version of the file is there; null where that cannot be asked, which is told once. */
    private Version version() {
        try {
            BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
            return new Version(found.lastModifiedTime(), found.size(), found.fileKey());
        } catch (IOException | RuntimeException wrong) {
            if (seen != null) {
                warn(wrong);
            }
            return null;
        }
    }

    private void warn(Throwable wrong) {
        LOG.warn("{}: {}; the last good weights stay until they are too old", path, wrong.toString());
    }
}
