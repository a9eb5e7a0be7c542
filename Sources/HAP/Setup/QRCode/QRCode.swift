/// A QR code (ISO/IEC 18004) of the one size that accessories carry for setup: version 2 in alphanumeric mode, of whose
/// codewords about a quarter may be unreadable (level Q).
///
/// A value without a way to show it: ``isDark(_:_:)`` tells of each module.
public struct QRCode: Hashable, Sendable {
    /// The modules of a side, without the quiet zone.
    public static let side = 25
    /// How many modules around the symbol have to be light.
    public static let quietZone = 4
    /// The most characters that a symbol holds.
    public static let capacity = 29

    /// All codewords of a symbol, and those of them that are there for correction (ISO/IEC 18004, table 9).
    static let codewords = 44
    static let correctionCodewords = 22

    /// The number of the mask, 0 to 7 (ISO/IEC 18004, 7.8.2).
    public let mask: Int

    private let modules: QRModules

    /// Creates the symbol of a text.
    ///
    /// - Parameters:
    ///   - text: 0-9, A-Z, space and `$%*+-./:` alone.
    ///   - mask: The mask, 0 to 7; `nil` takes the one that the standard's penalties are least for.
    /// - Returns: `nil` if the text has another character, or more of them than ``capacity``.
    public init?(_ text: String, mask: Int? = nil) {
        precondition(mask.map(QRModules.masks.contains) ?? true, "a mask is 0 to 7")
        guard let values = QRSegment.values(of: text), values.count <= Self.capacity else { return nil }
        let data = QRSegment.codewords(of: values, count: Self.codewords - Self.correctionCodewords)
        let plain = QRModules(codewords: data + QRCorrection.codewords(for: data, count: Self.correctionCodewords))
        self.mask = mask ?? plain.bestMask
        modules = plain.finished(self.mask)
    }

    /// Whether a module is dark.
    ///
    /// - Parameters:
    ///   - x: The column from the left. What is outside the symbol is light.
    ///   - y: The row from the top.
    public func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<Self.side).contains(x) && (0..<Self.side).contains(y) && modules[x, y]
    }
}

extension SetupPayload {
    /// The symbol from which apps read the payload.
    public var qrCode: QRCode {
        guard let code = QRCode(uri) else { preconditionFailure("a payload has 20 characters that a symbol can have") }
        return code
    }
}
