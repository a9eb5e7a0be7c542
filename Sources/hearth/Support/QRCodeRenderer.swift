import HAP

/// A QR code for a terminal: half blocks, two rows of modules to a line, with the quiet zone.
struct QRCodeRenderer {
    /// What makes modules dark and light.
    enum Ink: Hashable {
        /// Black on white by colours of the drawing's own.
        case colours
        /// The terminal's own colours; its ground is the darker.
        case onDark
        /// The terminal's own colours; its ground is the lighter.
        case onLight
    }

    /// How many columns a drawing takes.
    static let width = QRCode.side + 2 * QRCode.quietZone

    private static let blackOnWhite = "\u{1B}[30;107m"
    private static let end = "\u{1B}[0m"

    /// The drawing, from the top.
    let lines: [String]

    /// Draws a code.
    init(_ code: QRCode, ink: Ink) {
        let range = -QRCode.quietZone..<(QRCode.side + QRCode.quietZone)
        lines = stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
            let line = String(
                range.map { x -> Character in
                    switch (code.isDark(x, y) != (ink == .onDark), code.isDark(x, y + 1) != (ink == .onDark)) {
                    case (false, false): " "
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (true, true): "█"
                    }
                }
            )
            return ink == .colours ? Self.blackOnWhite + line + Self.end : line
        }
    }
}

extension QRCodeRenderer.Ink {
    /// The last part of `COLORFGBG` where the ground is light.
    private static let lightGrounds: Set<Substring> = ["7", "15"]

    /// What an environment allows: colours, unless `NO_COLOR` or a dumb terminal forbid them. Whether the terminal's ground
    /// is light is known from `COLORFGBG` only, which few terminals set; most are dark.
    init(environment: [String: String]) {
        guard !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb" else {
            self = .colours
            return
        }
        let ground = environment["COLORFGBG"]?.split(separator: ";").last
        self = ground.map(Self.lightGrounds.contains) == true ? .onLight : .onDark
    }
}
