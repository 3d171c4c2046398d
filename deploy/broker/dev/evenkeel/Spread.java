package dev.evenkeel;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Who owns what, by weights: pure arithmetic on arrays. `evenkeel.assignors.weighted` is the same rule, number by number.
 *
 * Owners keep what they have. What has no owner goes, the heaviest first, to the subscriber that carries least. Then partitions leave the
 * member that carries most, one by one, each to where the heavier of the two carries least afterwards, until nobody carries more than 5 %
 * above what no assignment can be below. All of that is taken only if the heaviest load falls by more than the gain, or fewer members
 * have nothing.
 */
final class Spread {
    static final int NOBODY = -1;
    private static final double NEAR = 1.05;

    private final double[] weight;
    private final int[] topicOf;
    private final int[][] subscribers;
    private final boolean isSame;
    private final double[] load;
    private final int[] count;
    private final int most;

    /** `subscribers`: of each topic, ascending. `aboveEven`: a member is given at most so many partitions above the even share. */
    Spread(double[] weight, int[] topicOf, int[][] subscribers, int members, int aboveEven) {
        this.weight = weight;
        this.topicOf = topicOf;
        this.subscribers = subscribers;
        isSame = Arrays.stream(subscribers).allMatch(some -> some.length == members);
        load = new double[members];
        count = new int[members];
        int even = members == 0 ? 0 : (weight.length + members - 1) / members;
        most = (int) Math.min((long) even + aboveEven, Integer.MAX_VALUE);
    }

    int[] weighted(int[] owner, double gain) {
        int[] kept = dealt(owner);
        double worst = worst();
        int idle = idle();
        int[] spread = spread(kept, true);
        return worst() < (1 - gain) * worst || idle() < idle ? spread : kept;
    }

    int[] byCount(int[] owner) {
        return spread(dealt(owner), false);
    }

    int[] dealt(int[] owner) {
        int[] dealt = owner.clone();
        Arrays.fill(load, 0);
        Arrays.fill(count, 0);
        for (int partition = 0; partition < dealt.length; partition++) {
            if (dealt[partition] != NOBODY) {
                load[dealt[partition]] += weight[partition];
                count[dealt[partition]]++;
            }
        }
        int[] queue = isSame ? queue() : null;
        for (int partition : heaviestFirst(dealt)) {
            int member = isSame ? queue[0] : lightest(subscribers[topicOf[partition]]);
            if (member == NOBODY) {
                continue;
            }
            dealt[partition] = member;
            load[member] += weight[partition];
            count[member]++;
            if (isSame) {
                sink(queue, 0);
            }
        }
        return dealt;
    }

    private int[] heaviestFirst(int[] owner) {
        return IntStream.range(0, owner.length)
            .filter(partition -> owner[partition] == NOBODY)
            .boxed()
            .sorted(Comparator.<Integer>comparingDouble(partition -> -weight[partition]).thenComparingInt(partition -> partition))
            .mapToInt(Integer::intValue)
            .toArray();
    }

    private int[] spread(int[] kept, boolean isWeighted) {
        int[] owner = kept.clone();
        boolean[] isClosed = new boolean[load.length];
        double bound = NEAR * bound();
        int[][] owned = owned(owner);
        for (int from = heaviest(isClosed); from != NOBODY; from = heaviest(isClosed)) {
            if (isWeighted && load[from] <= bound && idle() == 0) {
                break;
            }
            if (!move(owner, owned, from)) {
                isClosed[from] = true;
            }
        }
        return owner;
    }

    /** Takes one partition from a member; false if that would not lower the heavier of the two. */
    private boolean move(int[] owner, int[][] owned, int from) {
        int best = NOBODY;
        int to = NOBODY;
        double least = load[from];
        int topic = NOBODY;
        int receiver = isSame ? lightest(null) : NOBODY;
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
                best = place;
                to = receiver;
            }
        }
        if (best == NOBODY) {
            return false;
        }
        int partition = owned[from][best];
        owner[partition] = to;
        load[from] -= weight[partition];
        load[to] += weight[partition];
        System.arraycopy(owned[from], best + 1, owned[from], best, count[from] - best - 1);
        count[from]--;
        insert(owned, to, partition);
        count[to]++;
        return true;
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

    private double bound() {
        double sum = 0;
        double largest = 0;
        for (double one : weight) {
            sum += one;
            largest = Math.max(largest, one);
        }
        return Math.max(load.length == 0 ? 0 : sum / load.length, largest);
    }

    private double worst() {
        return Arrays.stream(load).max().orElse(0);
    }

    private int idle() {
        int idle = 0;
        for (int one : count) {
            idle += one == 0 ? 1 : 0;
        }
        return idle;
    }

    private int heaviest(boolean[] isClosed) {
        int found = NOBODY;
        for (int member = 0; member < load.length; member++) {
            if (!isClosed[member] && (found == NOBODY || load[member] > load[found])) {
                found = member;
            }
        }
        return found;
    }

    /** Returns who carries least of these, ascending; all members where null. Those that have all they may be given come last. */
    private int lightest(int[] some) {
        int found = NOBODY;
        int size = some == null ? load.length : some.length;
        for (int place = 0; place < size; place++) {
            int member = some == null ? place : some[place];
            if (found == NOBODY || isBefore(member, found)) {
                found = member;
            }
        }
        return found;
    }

    private boolean isBefore(int one, int other) {
        boolean isFull = count[one] >= most;
        if (isFull != count[other] >= most) {
            return !isFull;
        }
        if (load[one] != load[other]) {
            return load[one] < load[other];
        }
        return count[one] != count[other] ? count[one] < count[other] : one < other;
    }

    private int[] queue() {
        int[] queue = IntStream.range(0, load.length).toArray();
        for (int place = queue.length / 2 - 1; place >= 0; place--) {
            sink(queue, place);
        }
        return queue;
    }

    private void sink(int[] queue, int place) {
        int member = queue[place];
        for (int child = 2 * place + 1; child < queue.length; child = 2 * place + 1) {
            if (child + 1 < queue.length && isBefore(queue[child + 1], queue[child])) {
                child++;
            }
            if (!isBefore(queue[child], member)) {
                break;
            }
            queue[place] = queue[child];
            place = child;
        }
        queue[place] = member;
    }
}
