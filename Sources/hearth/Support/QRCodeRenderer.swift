import HAP

/// Draws a QR code for a terminal with half blocks, two rows of modules per line, including the quiet zone.
struct QRCodeRenderer {
    /// How dark and light modules are drawn.
    enum Ink: Hashable {
        /// Black on white, set with color codes.
        case colors
        /// The terminal's own colors, on a dark background.
        case onDark
        /// The terminal's own colors, on a light background.
        case onLight
    }

    /// Returns the width of a drawing in columns.
    static func width(of code: QRCode) -> Int { code.side + 2 * QRCode.quietZone }

    private static let blackOnWhite = "\u{1B}[30;107m"
    private static let end = "\u{1B}[0m"

    /// The lines of the drawing, from the top.
    let lines: [String]

    /// Draws a code.
    init(_ code: QRCode, ink: Ink) {
        let range = -QRCode.quietZone..<(code.side + QRCode.quietZone)
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
            return ink == .colors ? Self.blackOnWhite + line + Self.end : line
        }
    }
}

extension QRCodeRenderer.Ink {
    /// The background colors in `COLORFGBG` that are light.
    private static let lightBackgrounds: Set<Substring> = ["7", "15"]

    /// Chooses the ink for an environment: colors, unless `NO_COLOR` is set or the terminal is dumb. Only `COLORFGBG`,
    /// which few terminals set, reports a light background; the default is dark.
    init(environment: [String: String]) {
        guard !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb" else {
            self = .colors
            return
        }
        let background = environment["COLORFGBG"]?.split(separator: ";").last
        self = background.map(Self.lightBackgrounds.contains) == true ? .onLight : .onDark
    }
}
