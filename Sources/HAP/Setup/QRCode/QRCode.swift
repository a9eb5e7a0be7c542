/// A QR code (ISO/IEC 18004) of the size used for setup payloads: version 2 in alphanumeric mode with error correction
/// level Q, which tolerates the loss of about a quarter of the codewords.
///
/// To draw the code, ask ``isDark(_:_:)`` about each module.
public struct QRCode: Hashable, Sendable {
    /// The number of modules per side, without the quiet zone.
    public static let side = 25
    /// The width of the light border that the symbol requires, in modules.
    public static let quietZone = 4
    /// The maximum number of characters in a symbol.
    public static let capacity = 29

    /// The number of codewords in a symbol, and how many of them are for error correction (ISO/IEC 18004, table 9).
    static let codewords = 44
    static let correctionCodewords = 22

    /// The number of the mask, 0 to 7 (ISO/IEC 18004, 7.8.2).
    public let mask: Int

    private let modules: QRModules

    /// Creates a QR code from text.
    ///
    /// - Parameters:
    ///   - text: The text, which may contain only 0-9, A-Z, space and `$%*+-./:`.
    ///   - mask: The mask, 0 to 7, or `nil` for the mask with the lowest penalty.
    /// - Returns: `nil` if the text has another character or is longer than ``capacity``.
    public init?(_ text: String, mask: Int? = nil) {
        precondition(mask.map(QRModules.masks.contains) ?? true, "a mask must be 0 to 7")
        guard let values = QRSegment.values(of: text), values.count <= Self.capacity else { return nil }
        let data = QRSegment.codewords(of: values, count: Self.codewords - Self.correctionCodewords)
        let plain = QRModules(codewords: data + QRCorrection.codewords(for: data, count: Self.correctionCodewords))
        self.mask = mask ?? plain.bestMask
        modules = plain.finished(self.mask)
    }

    /// Returns whether a module is dark.
    ///
    /// - Parameters:
    ///   - x: The column from the left. Modules outside the symbol are light.
    ///   - y: The row from the top.
    public func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<Self.side).contains(x) && (0..<Self.side).contains(y) && modules[x, y]
    }
}

extension SetupPayload {
    /// The payload as a QR code.
    public var qrCode: QRCode {
        guard let code = QRCode(uri) else {
            preconditionFailure("a payload consists of 20 characters that a QR code supports")
        }
        return code
    }
}
