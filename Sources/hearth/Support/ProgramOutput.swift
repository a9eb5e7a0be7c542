import Foundation
import HAP
import Synchronization

/// Writes results to standard output and everything else to standard error, without buffering.
enum ProgramOutput {
    private static let hasLostReader = Atomic(false)

    /// Writes a line of results.
    ///
    /// If writing fails, the program ends as after SIGTERM, so that services clean up. A pipe whose reader has exited
    /// isn't reported as an error.
    static func line(_ text: String) {
        let error = write("\(text)\n", to: STDOUT_FILENO)
        guard error != 0, !hasLostReader.exchange(true, ordering: .relaxed) else { return }
        if error != EPIPE { note("error: outputFailed: \(String(cString: strerror(error)))") }
        kill(getpid(), SIGTERM)
    }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Prints the QR code of a setup payload, or a note if the terminal is too narrow.
    static func qrCode(_ payload: String) {
        if let code = QRCode(payload) { qrCode(code) }
    }

    /// Prints a QR code, or a note if the terminal is too narrow.
    static func qrCode(_ code: QRCode) {
        let width = QRCodeRenderer.width(of: code)
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, (1..<width).contains(Int(size.ws_col)) {
            note("The QR code needs \(width) columns; the terminal has \(size.ws_col).")
            return
        }
        let drawing = QRCodeRenderer(code, ink: QRCodeRenderer.Ink(environment: ProcessInfo.processInfo.environment))
        line(drawing.lines.joined(separator: "\n"))
    }

    /// Writes a message for the user, apart from the results.
    static func note(_ text: String, terminator: String = "\n") {
        _ = write(text + terminator, to: STDERR_FILENO)
    }

    /// Writes all of a text. Returns the error number, or 0.
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
