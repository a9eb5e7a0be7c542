import Foundation

/// A passphrase that a person types in, or that a program hands over by an open file.
struct Passphrase {
    /// The most bytes that it may have.
    static let longest = 1_024

    /// Reads the first line of an open file.
    ///
    /// - Throws: ``CommandFailure`` when there is none.
    static func read(from descriptor: Int32) throws(CommandFailure) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count <= longest {
            let count = Foundation.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(
                    "noPassphrase",
                    "Descriptor \(descriptor) cannot be read: \(String(cString: strerror(errno)))."
                )
            }
            guard count > 0, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        guard bytes.count <= longest else {
            throw CommandFailure("noPassphrase", "The passphrase is longer than \(longest) bytes.")
        }
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("noPassphrase", "The passphrase is empty, or is no text.")
        }
        return text
    }

    /// Asks for it on the terminal, without showing it.
    ///
    /// - Parameter isNew: Whether it is asked for twice, as nobody can read a file that was sealed with a slip.
    static func ask(isNew: Bool) throws(CommandFailure) -> String {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw CommandFailure("noPassphrase", "There is no terminal to ask on: hand it over with --passphrase-fd.")
        }
        defer { close(terminal) }
        let first = try ask("Passphrase: ", terminal)
        guard isNew else { return first }
        guard try ask("The same again: ", terminal) == first else {
            throw CommandFailure("noPassphrase", "The two are not the same. Nothing was done.")
        }
        return first
    }

    private static func ask(_ prompt: String, _ terminal: Int32) throws(CommandFailure) -> String {
        var visible = termios()
        let isTerminal = tcgetattr(terminal, &visible) == 0
        let guards = isTerminal ? Self.restoring(visible, of: terminal) : []
        defer { for source in guards { source.cancel() } }
        var hidden = visible
        hidden.c_lflag &= ~tcflag_t(ECHO)
        if isTerminal { tcsetattr(terminal, TCSAFLUSH, &hidden) }
        defer {
            if isTerminal { tcsetattr(terminal, TCSAFLUSH, &visible) }
            _ = write(terminal, "\n", 1)
        }
        _ = write(terminal, prompt, prompt.utf8.count)
        return try read(from: terminal)
    }

    /// Lets whoever ends the program at the prompt see again what they type. Ends when the sources are cancelled.
    private static func restoring(_ visible: termios, of terminal: Int32) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                var visible = visible
                tcsetattr(terminal, TCSAFLUSH, &visible)
                signal(number, SIG_DFL)
                kill(getpid(), number)
            }
            source.setCancelHandler { signal(number, SIG_DFL) }
            source.resume()
            return source
        }
    }
}
