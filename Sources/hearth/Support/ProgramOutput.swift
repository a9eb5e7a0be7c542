import Foundation
import HAP
import Synchronization

/// What the command writes: results on standard output, all else on standard error, both at once and whoever reads.
enum ProgramOutput {
    private static let hasLostReader = Atomic(false)

    /// Writes a line of results. When they cannot be written the program ends as it does by SIGTERM: a pipe whose reader
    /// has left is no failure to speak of, and services still clean up.
    static func line(_ text: String) {
        let error = write("\(text)\n", to: STDOUT_FILENO)
        guard error != 0, !hasLostReader.exchange(true, ordering: .relaxed) else { return }
        if error != EPIPE { note("error: outputFailed: \(String(cString: strerror(error)))") }
        kill(getpid(), SIGTERM)
    }

    /// Whether a person sees the results.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Draws the QR code of a set-up payload. A terminal that is too narrow for it is told so instead.
    static func qrCode(_ payload: String) {
        guard let code = QRCode(payload) else { return }
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, (1..<QRCodeRenderer.width).contains(Int(size.ws_col)) {
            note("The QR code takes \(QRCodeRenderer.width) columns; the terminal has \(size.ws_col).")
            return
        }
        let drawing = QRCodeRenderer(code, ink: QRCodeRenderer.Ink(environment: ProcessInfo.processInfo.environment))
        line(drawing.lines.joined(separator: "\n"))
    }

    /// Writes to people, beside the results.
    static func note(_ text: String, terminator: String = "\n") {
        _ = write(text + terminator, to: STDERR_FILENO)
    }

    /// Writes all of a text; the error's number, 0 for none.
    private static func write(_ text: String, to descriptor: CInt) -> CInt {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
