package io.idempotency.testsupport;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The protocol of Redis as far as the set-up of servers needs it: what the client libraries do by themselves, such as
 * following redirections, is in the way there.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/protocol-spec/">RESP</a>
 */
final class RedisSocket implements AutoCloseable {

    private static final int TIMEOUT = 10_000;

    private final Socket socket;

    private final InputStream input;

    RedisSocket(String host, int port) throws IOException {
        socket = new Socket(host, port);
        socket.setSoTimeout(TIMEOUT);
        input = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Sends a command.
     *
     * @return the reply as text; the elements of an array on a line each
     * @throws IllegalStateException if the server refuses the command
     */
    String ask(String... words) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(ascii("*" + words.length));
        for (String word : words) {
            request.writeBytes(ascii("$" + word.length()));
            request.writeBytes(ascii(word));
        }
        socket.getOutputStream().write(request.toByteArray());
        return reply();
    }

    private static byte[] ascii(String line) {
        return (line + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private String reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> array(Integer.parseInt(rest));
            default -> throw new IllegalStateException(rest);
        };
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next != '\r'; next = input.read()) {
            if (next < 0) {
                throw new EOFException("The server has closed the connection");
            }
            line.append((char) next);
        }
        input.skipNBytes(1);
        return line.toString();
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        String text = new String(input.readNBytes(length), StandardCharsets.ISO_8859_1);
        input.skipNBytes(2);
        return text;
    }

    private String array(int length) throws IOException {
        List<String> elements = new ArrayList<>();
        for (int index = 0; index < length; index++) {
            elements.add(reply());
        }
        return String.join("\n", elements);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
