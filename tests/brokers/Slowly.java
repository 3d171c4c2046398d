import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.processor.TaskId;

/** Waits after each batch of records that is restored, so that a little state takes as long as much would. */
final class Slowly implements StateRestoreListener, StandbyUpdateListener {
    private final long milliseconds;

    private Slowly(long milliseconds) {
        this.milliseconds = milliseconds;
    }

    static void restore(KafkaStreams streams, long milliseconds) {
        streams.setGlobalStateRestoreListener(new Slowly(milliseconds));
        streams.setStandbyUpdateListener(new Slowly(milliseconds));
    }

    @Override
    public void onBatchRestored(TopicPartition partition, String store, long endOffset, long count) {
        pause();
    }

    @Override
    public void onBatchLoaded(TopicPartition partition, String store, TaskId task, long batchEndOffset, long size, long endOffset) {
        pause();
    }

    private void pause() {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onRestoreStart(TopicPartition partition, String store, long startingOffset, long endingOffset) {}

    @Override
    public void onRestoreEnd(TopicPartition partition, String store, long count) {}

    @Override
    public void onUpdateStart(TopicPartition partition, String store, long startingOffset) {}

    @Override
    public void onUpdateSuspended(TopicPartition partition, String store, long storeOffset, long endOffset, SuspendReason reason) {}
}
