// Prints the tables of the charsets named by its arguments, for tests/tables.rs: "= name", then "code utf16" for each code
// (one byte, or two between shift-out and shift-in) that has a character, both in hexadecimal.
import java.io.*;
import java.nio.*;
import java.nio.charset.*;

public class Tables {
    static PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16));

    static void show(CharsetDecoder decoder, String code, byte... bytes) {
        try {
            CharBuffer text = decoder.decode(ByteBuffer.wrap(bytes));
            if (text.length() == 0) return;
            out.print(code + " ");
            for (int at = 0; at < text.length(); at++) out.print(String.format("%04X", (int) text.charAt(at)));
            out.println();
        } catch (CharacterCodingException absent) {
            // The charset has no such character.
        }
    }

    public static void main(String[] names) {
        for (String name : names) {
            String charset = name.substring(name.indexOf('=') + 1);
            if (!Charset.isSupported(charset)) continue;
            CharsetDecoder decoder = Charset.forName(charset).newDecoder();
            out.println("= " + name.substring(0, name.indexOf('=')));
            for (int code = 0; code < 256; code++) show(decoder, String.format("%02X", code), (byte) code);
            if (!charset.startsWith("x-IBM") || charset.equals("x-IBM1025")) continue;
            if (charset.equals("x-IBM875")) continue;
            for (int high = 0x40; high < 0xFF; high++)
                for (int low = 0x40; low < 0xFF; low++)
                    show(decoder, String.format("%02X%02X", high, low), (byte) 0x0E, (byte) high, (byte) low, (byte) 0x0F);
        }
        out.flush();
    }
}
