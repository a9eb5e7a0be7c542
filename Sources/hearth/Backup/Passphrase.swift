import Foundation

/// Reads a passphrase from the terminal or a file descriptor.
struct Passphrase {
    /// The maximum length in bytes.
    static let maximumLength = 1_024

    /// Reads the first line of a file descriptor.
    ///
    /// - Throws: ``CommandFailure`` if the line is empty, too long or not UTF-8.
    static func read(from descriptor: Int32) throws(CommandFailure) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count <= maximumLength {
            let count = Foundation.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(
                    "noPassphrase",
                    "File descriptor \(descriptor) can't be read: \(String(cString: strerror(errno)))."
                )
            }
            guard count > 0, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        guard bytes.count <= maximumLength else {
            throw CommandFailure("noPassphrase", "The passphrase is longer than \(maximumLength) bytes.")
        }
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("noPassphrase", "The passphrase is empty or isn't UTF-8 text.")
        }
        return text
    }

    /// Prompts for the passphrase on the terminal, without echo.
    ///
    /// - Parameters:
    ///   - name: What to call the passphrase in the prompt.
    ///   - isNew: Whether to prompt twice. A mistyped passphrase would make a new backup unreadable.
    static func ask(_ name: String = "Passphrase", isNew: Bool = false) throws(CommandFailure) -> String {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw CommandFailure("noPassphrase", "There is no terminal to prompt on. Use --passphrase-fd.")
        }
        defer { close(terminal) }
        let first = try ask("\(name): ", terminal)
        guard isNew else { return first }
        guard try ask("Repeat \(name.lowercased()): ", terminal) == first else {
            throw CommandFailure("noPassphrase", "The passphrases don't match. Nothing was changed.")
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

    /// Restores the terminal's echo if a signal ends the program at the prompt. Cancel the sources to stop this.
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
