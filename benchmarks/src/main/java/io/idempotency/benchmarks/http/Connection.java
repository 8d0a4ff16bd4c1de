package io.idempotency.benchmarks.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One keep-alive connection. It does what a client must and nothing else: on a machine that the server shares with it,
 * whatever it costs makes the differences between the measured handlers smaller than they are.
 */
final class Connection implements AutoCloseable {

    private static final int LONGEST_RESPONSE = 8192;

    private final Socket socket;

    private final OutputStream out;

    private final InputStream in;

    private final byte[] response = new byte[LONGEST_RESPONSE];

    private int length;

    Connection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        out = socket.getOutputStream();
        in = socket.getInputStream();
    }

    /**
     * Sends a request and reads its response.
     *
     * @throws IOException if the response is not a whole one of status 200
     */
    void exchange(byte[] request) throws IOException {
        out.write(request);
        length = 0;
        int bodyStart = bodyStart();
        String head = new String(response, 0, bodyStart, StandardCharsets.ISO_8859_1);
        if (!head.startsWith("HTTP/1.1 200 ")) {
            throw new IOException("Not the response that is measured: " + head);
        }
        int declared = head.indexOf("Content-Length: ");
        if (declared < 0) {
            readLastChunk();
        } else {
            int start = declared + "Content-Length: ".length();
            int bodyLength = Integer.parseInt(head.substring(start, head.indexOf('\r', start)));
            while (length < bodyStart + bodyLength) {
                readMore();
            }
        }
    }

    private int bodyStart() throws IOException {
        int from = 0;
        while (true) {
            readMore();
            for (int end = Math.max(3, from); end < length; end++) {
                if (response[end] == '\n' && response[end - 1] == '\r' && response[end - 2] == '\n') {
                    return end + 1;
                }
            }
            from = length;
        }
    }

    private void readLastChunk() throws IOException {
        byte[] end = {'\r', '\n', '0', '\r', '\n', '\r', '\n'};
        while (length < end.length || !Arrays.equals(response, length - end.length, length, end, 0, end.length)) {
            readMore();
        }
    }

    private void readMore() throws IOException {
        int count = in.read(response, length, response.length - length);
        if (count <= 0) {
            throw new EOFException("The response ended before it was whole");
        }
        length += count;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
