package dev.evenkeel;

import java.util.Arrays;

/**
 * The fewest moves after which nobody carries more than a limit: counted out, where a group is small.
 *
 * A member above the limit must give something: the heaviest one gives each of its partitions to each reader in turn. A partition moves at most once.
 */
final class Fewest {
    private static final int PARTITIONS = 32;
    private static final int MEMBERS = 64;
    private static final int LOOKS = 10_000;

    private final double[] weight;
    private final int[] topicOf;
    private final int[][] subscribers;
    private final int[] heaviestFirst;
    private final int members;
    private final int most;
    private int[] owner;
    private double[] load;
    private int[] count;
    private boolean[] isMoved;
    private double limit;
    private int idleMost;
    private int looks = LOOKS;

    /** `heaviestFirst`: all partitions. `most`: partitions that a member may be given. */
    Fewest(double[] weight, int[] topicOf, int[][] subscribers, int members, int[] heaviestFirst, int most) {
        this.weight = weight;
        this.topicOf = topicOf;
        this.subscribers = subscribers;
        this.members = members;
        this.heaviestFirst = heaviestFirst;
        this.most = most;
    }

    static boolean isSmall(int partitions, int members) {
        return partitions <= PARTITIONS && members <= MEMBERS;
    }

    /** Returns owners that differ from `kept` in fewer partitions; null where there are none, or too many answers to look at. */
    int[] below(int moves, int[] kept, double limit, int idleMost) {
        this.limit = limit;
        this.idleMost = idleMost;
        for (int left = 0; left < moves; left++) {
            owner = kept.clone();
            load = new double[members];
            count = new int[members];
            isMoved = new boolean[owner.length];
            for (int partition = 0; partition < owner.length; partition++) {
                load[owner[partition]] += weight[partition];
                count[owner[partition]]++;
            }
            if (reaches(left)) {
                return owner;
            }
        }
        return null;
    }

    private boolean reaches(int left) {
        if (looks-- <= 0 || needed() > left) {
            return false;
        }
        int from = heaviest();
        boolean isAbove = load[from] > limit;
        if (!isAbove && idle() <= idleMost) {
            return true;
        }
        for (int partition = 0; partition < owner.length && left > 0 && looks > 0; partition++) {
            int before = owner[partition];
            if (isMoved[partition] || isAbove && before != from) {
                continue;
            }
            for (int to : subscribers[topicOf[partition]]) {
                if (looks > 0 && to != before && count[to] < most && (isAbove || count[to] == 0)) {
                    hand(partition, to);
                    isMoved[partition] = true;
                    if (reaches(left - 1)) {
                        return true;
                    }
                    isMoved[partition] = false;
                    hand(partition, before);
                }
            }
        }
        return false;
    }

    /** Returns how many partitions must move at least: of each member above the limit the heaviest that have not moved. */
    private int needed() {
        int needed = 0;
        for (int member = 0; member < members; member++) {
            double rest = load[member];
            for (int place = 0; place < heaviestFirst.length && rest > limit; place++) {
                int partition = heaviestFirst[place];
                if (owner[partition] == member && !isMoved[partition]) {
                    rest -= weight[partition];
                    needed++;
                }
            }
            if (rest > limit) {
                return Integer.MAX_VALUE;
            }
        }
        return needed;
    }

    private void hand(int partition, int to) {
        int from = owner[partition];
        owner[partition] = to;
        count[from]--;
        count[to]++;
        load[from] = carried(from);
        load[to] = carried(to);
    }

    /** Returns a load as a sum in the order of partitions: what was added and taken again would leave traces in the last digit. */
    private double carried(int member) {
        double sum = 0;
        for (int partition = 0; partition < owner.length; partition++) {
            sum += owner[partition] == member ? weight[partition] : 0;
        }
        return sum;
    }

    private int heaviest() {
        int found = 0;
        for (int member = 1; member < members; member++) {
            found = load[member] > load[found] ? member : found;
        }
        return found;
    }

    private int idle() {
        return (int) Arrays.stream(count).filter(one -> one == 0).count();
    }
}
