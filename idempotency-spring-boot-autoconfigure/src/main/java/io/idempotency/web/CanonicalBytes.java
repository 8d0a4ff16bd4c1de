package io.idempotency.web;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The bytes of a document in its canonical form. A text is written one UTF-16 unit after the other, as UTF-8 writes them, so
 * that every text has a form, also one with unpaired surrogates; it ends with a byte that is in no text.
 */
final class CanonicalBytes {

    private static final byte END_OF_TEXT = (byte) 0xFF;

    /**
     * Where a member of an object stands.
     *
     * @param start the index of its first byte
     * @param nameEnd the index after its name
     * @param end the index after its value
     */
    record Member(int start, int nameEnd, int end) {}

    private final Comparator<Member> byName = (one, other) ->
            Arrays.compareUnsigned(this.bytes, one.start, one.nameEnd, this.bytes, other.start, other.nameEnd);

    private byte[] bytes;

    private int size;

    /**
     * @param expectedSize how many bytes there will be about
     */
    CanonicalBytes(int expectedSize) {
        bytes = new byte[expectedSize];
    }

    int size() {
        return size;
    }

    void add(char ascii) {
        require(1);
        bytes[size++] = (byte) ascii;
    }

    void addText(char[] text, int offset, int count) {
        for (int index = offset; index < offset + count; index++) {
            addUnit(text[index]);
        }
        require(1);
        bytes[size++] = END_OF_TEXT;
    }

    private void addUnit(char unit) {
        require(3);
        if (unit < 0x80) {
            bytes[size++] = (byte) unit;
        } else if (unit < 0x800) {
            bytes[size++] = (byte) (0xC0 | (unit >> 6));
            bytes[size++] = (byte) (0x80 | (unit & 0x3F));
        } else {
            bytes[size++] = (byte) (0xE0 | (unit >> 12));
            bytes[size++] = (byte) (0x80 | ((unit >> 6) & 0x3F));
            bytes[size++] = (byte) (0x80 | (unit & 0x3F));
        }
    }

    private void require(int count) {
        if (bytes.length - size < count) {
            bytes = Arrays.copyOf(bytes, size + count + (size >> 1));
        }
    }

    /** Brings the members, which are the last bytes, into the order of their names; those of one name keep theirs. */
    void sort(List<Member> members) {
        if (isSorted(members)) {
            return;
        }
        int start = members.get(0).start;
        byte[] unsorted = Arrays.copyOfRange(bytes, start, size);
        members.sort(byName);
        int target = start;
        for (Member member : members) {
            int length = member.end - member.start;
            System.arraycopy(unsorted, member.start - start, bytes, target, length);
            target += length;
        }
    }

    private boolean isSorted(List<Member> members) {
        for (int index = 1; index < members.size(); index++) {
            if (byName.compare(members.get(index - 1), members.get(index)) > 0) {
                return false;
            }
        }
        return true;
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }
}
