package dev.evenkeel;

import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

/** All members, the first in an order that may change for one of them at a time. */
final class Queue {
    private final IntBinaryOperator order;
    private final int[] queue;
    private final int[] placeOf;

    Queue(int members, IntBinaryOperator order) {
        this.order = order;
        queue = IntStream.range(0, members).toArray();
        placeOf = queue.clone();
        for (int place = queue.length / 2 - 1; place >= 0; place--) {
            sink(queue[place]);
        }
    }

    int first() {
        return queue.length == 0 ? Spread.NOBODY : queue[0];
    }

    void changed(int member) {
        for (int above = (placeOf[member] - 1) / 2; placeOf[member] > 0 && isBefore(member, queue[above]); above = (above - 1) / 2) {
            put(queue[above], placeOf[member]);
            put(member, above);
        }
        sink(member);
    }

    private void sink(int member) {
        int place = placeOf[member];
        for (int child = 2 * place + 1; child < queue.length; child = 2 * place + 1) {
            if (child + 1 < queue.length && isBefore(queue[child + 1], queue[child])) {
                child++;
            }
            if (!isBefore(queue[child], member)) {
                break;
            }
            put(queue[child], place);
            place = child;
        }
        put(member, place);
    }

    private void put(int member, int place) {
        queue[place] = member;
        placeOf[member] = place;
    }

    private boolean isBefore(int one, int other) {
        return order.applyAsInt(one, other) < 0;
    }
}
