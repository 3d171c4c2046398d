package dev.evenkeel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, doubles, booleans and null; a key that occurs twice is refused. */
final class Json {
    private static final int DEEPEST = 32;

    private final String text;
    private int place;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        Json json = new Json(text);
        Object found = json.value(0);
        json.peek();
        if (json.place < text.length()) {
            throw json.wrong("the end");
        }
        return found;
    }

    private Object value(int depth) {
        if (depth > DEEPEST) {
            throw wrong("at most " + DEEPEST + " levels");
        }
        char next = peek();
        if (next == '{') {
            return object(depth);
        }
        if (next == '[') {
            return list(depth);
        }
        if (next == '"') {
            return string();
        }
        return word();
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> found = new HashMap<>();
        place++;
        if (took('}')) {
            return found;
        }
        do {
            if (peek() != '"') {
                throw wrong("a key");
            }
            String key = string();
            require(':');
            if (found.containsKey(key)) {
                throw wrong("each key once");
            }
            found.put(key, value(depth + 1));
        } while (took(','));
        require('}');
        return found;
    }

    private List<Object> list(int depth) {
        List<Object> found = new ArrayList<>();
        place++;
        if (took(']')) {
            return found;
        }
        do {
            found.add(value(depth + 1));
        } while (took(','));
        require(']');
        return found;
    }

    private String string() {
        StringBuilder found = new StringBuilder();
        for (place++; place < text.length() && text.charAt(place) != '"'; place++) {
            char one = text.charAt(place);
            if (one < ' ') {
                throw wrong("no control character");
            }
            found.append(one == '\\' ? escaped() : one);
        }
        if (place >= text.length()) {
            throw wrong("the end of a string");
        }
        place++;
        return found.toString();
    }

    private char escaped() {
        char one = ++place < text.length() ? text.charAt(place) : 0;
        int known = "\"\\/bfnrt".indexOf(one);
        if (known >= 0) {
            return "\"\\/\b\f\n\r\t".charAt(known);
        }
        if (one == 'u' && text.length() > place + 4 && text.substring(place + 1, place + 5).matches("[0-9a-fA-F]{4}")) {
            place += 4;
            return (char) Integer.parseInt(text.substring(place - 3, place + 1), 16);
        }
        throw wrong("an escape of JSON");
    }

    private Object word() {
        int from = place;
        while (place < text.length() && "{}[],:\" \t\n\r".indexOf(text.charAt(place)) < 0) {
            place++;
        }
        String found = text.substring(from, place);
        if (found.matches("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?")) {
            return Double.valueOf(found);
        }
        switch (found) {
            case "true":
                return true;
            case "false":
                return false;
            case "null":
                return null;
            default:
                place = from;
                throw wrong("a value");
        }
    }

    /** Returns the next character that is no space, 0 at the end. */
    private char peek() {
        while (place < text.length() && " \t\n\r".indexOf(text.charAt(place)) >= 0) {
            place++;
        }
        return place < text.length() ? text.charAt(place) : 0;
    }

    private boolean took(char wanted) {
        boolean isNext = peek() == wanted;
        place += isNext ? 1 : 0;
        return isNext;
    }

    private void require(char wanted) {
        if (!took(wanted)) {
            throw wrong("'" + wanted + "'");
        }
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("no JSON: expected " + expected + " at character " + place);
    }
}
