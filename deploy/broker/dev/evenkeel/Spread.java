package dev.evenkeel;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Who owns what, by weights: pure arithmetic on arrays. `evenkeel.assignors.weighted` is the same rule, number by number.
 *
 * Owners keep what they have. What has no owner goes, the heaviest first, to the subscriber that carries least. Then partitions leave the
 * member that carries most, one by one, each to where the heavier of the two carries least afterwards, or in exchange for a lighter one,
 * until nobody carries more than 5 % above what no assignment can be below. What can go back without a heavier worst load goes back, so
 * that nothing moves for nothing; in a small group an answer with fewer moves is looked for (`Fewest`). All of that is taken only if the
 * worst load falls by more than the gain, or fewer members have nothing.
 */
final class Spread {
    static final int NOBODY = -1;
    private static final double NEAR = 1.05;
    private static final int PARTNERS = 8;
    private static final int STEPS = 4;
    private static final int MANY = 16;

    private final double[] weight;
    private final int[] topicOf;
    private final int[][] subscribers;
    private final boolean isSame;
    private final double[] load;
    private final int[] count;
    private final int even;
    private final int most;
    private final boolean[] isClosed;
    private int idle;

    /** `subscribers`: of each topic, ascending. `aboveEven`: a member is given at most so many partitions above the even share. */
    Spread(double[] weight, int[] topicOf, int[][] subscribers, int members, int aboveEven) {
        this.weight = weight;
        this.topicOf = topicOf;
        this.subscribers = subscribers;
        isSame = Arrays.stream(subscribers).allMatch(some -> some.length == members);
        load = new double[members];
        count = new int[members];
        isClosed = new boolean[members];
        even = members == 0 ? 0 : (weight.length + members - 1) / members;
        most = (int) Math.min((long) even + aboveEven, Integer.MAX_VALUE);
    }

    int[] weighted(int[] owner, double gain) {
        int[] kept = dealt(owner);
        double worst = worst();
        int idleBefore = idle;
        int[] spread = spread(kept, true);
        return worst() < (1 - gain) * worst || idle < idleBefore ? spread : kept;
    }

    int[] byCount(int[] owner) {
        return spread(dealt(owner), false);
    }

    int[] dealt(int[] owner) {
        int[] dealt = owner.clone();
        count(dealt);
        deal(dealt, withoutOwner(dealt));
        return dealt;
    }

    private void count(int[] owner) {
        Arrays.fill(load, 0);
        Arrays.fill(count, 0);
        idle = load.length;
        for (int partition = 0; partition < owner.length; partition++) {
            if (owner[partition] != NOBODY) {
                give(partition, owner[partition]);
            }
        }
    }

    /** Gives partitions, the heaviest first, each to who carries least. */
    private void deal(int[] owner, int[] partitions) {
        Queue light = new Queue(load.length, this::lighter);
        for (int partition : heaviestFirst(partitions)) {
            // Who carries least of all mostly reads the topic.
            int member = reads(light.first(), partition) ? light.first() : lightest(subscribers[topicOf[partition]]);
            if (member == NOBODY) {
                continue;
            }
            owner[partition] = member;
            give(partition, member);
            light.changed(member);
        }
    }

    /** Takes the heaviest partitions off members that have far more than the even share, down to the mean load, and deals them. */
    private void release(int[] owner) {
        long many = 2L * even + MANY;
        double mean = mean();
        int[][] owned = owned(owner);
        boolean isAny = false;
        for (int member = 0; member < load.length; member++) {
            for (int partition : count[member] > many ? heaviestFirst(owned[member]) : new int[0]) {
                if (load[member] - weight[partition] >= mean) {
                    take(partition, member);
                    owner[partition] = NOBODY;
                    isAny = true;
                }
            }
        }
        if (isAny) {
            deal(owner, withoutOwner(owner));
        }
    }

    private static int[] withoutOwner(int[] owner) {
        return IntStream.range(0, owner.length).filter(partition -> owner[partition] == NOBODY).toArray();
    }

    private void give(int partition, int member) {
        load[member] += weight[partition];
        idle -= count[member]++ == 0 ? 1 : 0;
    }

    private void take(int partition, int member) {
        load[member] -= weight[partition];
        idle += --count[member] == 0 ? 1 : 0;
    }

    private int[] heaviestFirst(int[] partitions) {
        return Arrays.stream(partitions).boxed()
            .sorted(Comparator.<Integer>comparingDouble(partition -> -weight[partition]).thenComparingInt(partition -> partition))
            .mapToInt(Integer::intValue)
            .toArray();
    }

    private int[] spread(int[] kept, boolean isWeighted) {
        int[] owner = kept.clone();
        release(owner);
        int[][] owned = owned(owner);
        double bound = NEAR * bound();
        Queue heavy = new Queue(load.length, this::heavier);
        Queue light = isSame ? new Queue(load.length, this::lighter) : null;
        Arrays.fill(isClosed, false);
        for (int left = STEPS * owner.length + load.length; left > 0 && load.length > 0; left--) {
            int from = heavy.first();
            if (isClosed[from] || isWeighted && load[from] <= bound && idle == 0) {
                break;
            }
            int to = move(owner, owned, from, light);
            to = to == NOBODY && isWeighted && load[from] > bound ? exchange(owner, owned, from) : to;
            isClosed[from] = to == NOBODY;
            if (isClosed[from] && isWeighted && idle == 0) {
                break;
            }
            for (int changed : new int[] {from, to == NOBODY ? from : to}) {
                heavy.changed(changed);
                if (isSame) {
                    light.changed(changed);
                }
            }
        }
        return isWeighted ? withFewerMoves(kept, owner, Math.max(bound, worst())) : owner;
    }

    /** Returns an answer within the limit that leaves no more members with nothing: in a small group the one with the fewest moves. */
    private int[] withFewerMoves(int[] kept, int[] owner, double limit) {
        takeBack(kept, owner, limit);
        if (!Fewest.isSmall(owner.length, load.length)) {
            return owner;
        }
        int moves = (int) IntStream.range(0, owner.length).filter(partition -> owner[partition] != kept[partition]).count();
        int[] all = heaviestFirst(IntStream.range(0, owner.length).toArray());
        int[] fewer = new Fewest(weight, topicOf, subscribers, load.length, all, most).below(moves, kept, limit, idle);
        if (fewer == null) {
            return owner;
        }
        count(fewer);
        return fewer;
    }

    /** Takes one partition from a member and returns who got it; nobody if that would not lower the heavier of the two. */
    private int move(int[] owner, int[][] owned, int from, Queue light) {
        int best = NOBODY;
        int to = NOBODY;
        double least = load[from];
        int topic = NOBODY;
        int receiver = isSame ? light.first() : NOBODY;
        for (int place = 0; place < count[from]; place++) {
            int partition = owned[from][place];
            if (!isSame && topicOf[partition] != topic) {
                topic = topicOf[partition];
                receiver = lightest(subscribers[topic]);
            }
            if (receiver == NOBODY || receiver == from) {
                continue;
            }
            double heavier = Math.max(load[from] - weight[partition], load[receiver] + weight[partition]);
            if (heavier < least) {
                least = heavier;
                best = partition;
                to = receiver;
            }
        }
        if (best != NOBODY) {
            hand(owner, owned, best, from, to);
        }
        return to;
    }

    /** Exchanges a partition for a lighter one of a member that carries little, and returns that member; nobody if it would not help. */
    private int exchange(int[] owner, int[][] owned, int from) {
        int[] partners = IntStream.range(0, load.length).boxed()
            .sorted(Comparator.<Integer>comparingDouble(member -> load[member]).thenComparingInt(member -> member))
            .limit(PARTNERS).mapToInt(Integer::intValue).toArray();
        for (int to : partners) {
            int given = NOBODY;
            int got = NOBODY;
            double least = load[from];
            int[] theirs = byWeight(owned[to], count[to], from);
            for (int place = 0; place < count[from] && theirs.length > 0 && to != from; place++) {
                int mine = owned[from][place];
                if (!reads(to, mine)) {
                    continue;
                }
                int near = firstFrom(theirs, weight[mine] - (load[from] - load[to]) / 2);
                for (int one = Math.max(near - 1, 0); one <= near && one < theirs.length; one++) {
                    double difference = weight[mine] - weight[theirs[one]];
                    double heavier = Math.max(load[from] - difference, load[to] + difference);
                    if (heavier < least) {
                        least = heavier;
                        given = mine;
                        got = theirs[one];
                    }
                }
            }
            if (given != NOBODY) {
                hand(owner, owned, given, from, to);
                hand(owner, owned, got, to, from);
                return to;
            }
        }
        return NOBODY;
    }

    /** Returns those of a member's partitions that another one reads, the lightest first. */
    private int[] byWeight(int[] owned, int size, int reader) {
        return Arrays.stream(owned, 0, size).filter(partition -> reads(reader, partition)).boxed()
            .sorted(Comparator.<Integer>comparingDouble(partition -> weight[partition]).thenComparingInt(partition -> partition))
            .mapToInt(Integer::intValue).toArray();
    }

    private int firstFrom(int[] sorted, double least) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (weight[sorted[middle]] < least) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean reads(int member, int partition) {
        return isSame || Arrays.binarySearch(subscribers[topicOf[partition]], member) >= 0;
    }

    /** Gives each partition back that its owner can carry within the limit. */
    private void takeBack(int[] kept, int[] owner, double limit) {
        for (int partition = 0; partition < owner.length; partition++) {
            int now = owner[partition];
            int before = kept[partition];
            if (now != before && load[before] + weight[partition] <= limit && count[before] < most && (count[now] > 1 || count[before] == 0)) {
                take(partition, now);
                give(partition, before);
                owner[partition] = before;
            }
        }
    }

    private void hand(int[] owner, int[][] owned, int partition, int from, int to) {
        owner[partition] = to;
        int place = Arrays.binarySearch(owned[from], 0, count[from], partition);
        System.arraycopy(owned[from], place + 1, owned[from], place, count[from] - place - 1);
        take(partition, from);
        insert(owned, to, partition);
        give(partition, to);
    }

    private void insert(int[][] owned, int member, int partition) {
        if (count[member] == owned[member].length) {
            owned[member] = Arrays.copyOf(owned[member], Math.max(8, 2 * count[member]));
        }
        int place = -1 - Arrays.binarySearch(owned[member], 0, count[member], partition);
        System.arraycopy(owned[member], place, owned[member], place + 1, count[member] - place);
        owned[member][place] = partition;
    }

    private int[][] owned(int[] owner) {
        int[][] owned = new int[load.length][];
        int[] filled = new int[load.length];
        Arrays.setAll(owned, member -> new int[count[member]]);
        for (int partition = 0; partition < owner.length; partition++) {
            if (owner[partition] != NOBODY) {
                owned[owner[partition]][filled[owner[partition]]++] = partition;
            }
        }
        return owned;
    }

    /** Returns what no assignment can be below: the mean, the heaviest partition, or the lightest two that must share a member. */
    private double bound() {
        int members = load.length;
        if (members == 0 || weight.length == 0) {
            return 0;
        }
        double[] sorted = weight.clone();
        Arrays.sort(sorted);
        int last = sorted.length - 1;
        double pair = last < members ? 0 : sorted[last - members] + sorted[last - members + 1];
        return Math.max(Math.max(mean(), sorted[last]), pair);
    }

    private double mean() {
        double sum = 0;
        for (double one : weight) {
            sum += one;
        }
        return sum / load.length;
    }

    private double worst() {
        return Arrays.stream(load).max().orElse(0);
    }

    /** Returns who carries least of these; those that have all they may be given come last. */
    private int lightest(int[] some) {
        int found = NOBODY;
        // Most members carry more than one that is open: no further look at them.
        double open = Double.POSITIVE_INFINITY;
        for (int member : some) {
            if (load[member] <= open && (found == NOBODY || lighter(member, found) < 0)) {
                found = member;
                open = count[member] < most ? load[member] : open;
            }
        }
        return found;
    }

    private int lighter(int one, int other) {
        boolean isFull = count[one] >= most;
        if (isFull != count[other] >= most) {
            return isFull ? 1 : -1;
        }
        if (load[one] != load[other]) {
            return load[one] < load[other] ? -1 : 1;
        }
        return count[one] != count[other] ? count[one] - count[other] : one - other;
    }

    private int heavier(int one, int other) {
        if (isClosed[one] != isClosed[other]) {
            return isClosed[one] ? 1 : -1;
        }
        return load[one] != load[other] ? (load[one] > load[other] ? -1 : 1) : one - other;
    }
}
