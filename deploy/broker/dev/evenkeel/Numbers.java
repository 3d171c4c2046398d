package dev.evenkeel;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The numbers of a member's partitions of one topic, ascending: less than a HashSet, of which an answer would have tens of thousands. */
final class Numbers extends AbstractSet<Integer> {
    private final int[] numbers;
    private int size;

    Numbers(int most) {
        numbers = new int[most];
    }

    /** Adds a number above all others. */
    void append(int number) {
        numbers[size++] = number;
    }

    @Override
    public Iterator<Integer> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public Integer next() {
                if (next >= size) {
                    throw new NoSuchElementException();
                }
                return numbers[next++];
            }
        };
    }

    @Override
    public boolean contains(Object number) {
        return number instanceof Integer one && Arrays.binarySearch(numbers, 0, size, one) >= 0;
    }

    @Override
    public int size() {
        return size;
    }
}
