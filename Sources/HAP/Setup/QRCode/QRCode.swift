/// A QR code (ISO/IEC 18004): of a setup payload, or of any short text such as a link.
///
/// To draw the code, ask ``isDark(_:_:)`` about each module.
public struct QRCode: Hashable, Sendable {
    /// The width of the light border that the symbol requires, in modules.
    public static let quietZone = 4
    /// The maximum number of characters in the symbol of a setup payload.
    public static let capacity = 29
    /// The maximum number of bytes of UTF-8 in the symbol of any text.
    public static let byteCapacity = 213

    /// The number of modules per side, without the quiet zone.
    public var side: Int { modules.side }

    /// The number of the mask, 0 to 7 (ISO/IEC 18004, 7.8.2).
    public let mask: Int

    private let modules: QRModules

    /// Creates a QR code of the size used for setup payloads: version 2 in alphanumeric mode with error correction level Q,
    /// which tolerates the loss of about a quarter of the codewords.
    ///
    /// - Parameters:
    ///   - text: The text, which may contain only 0-9, A-Z, space and `$%*+-./:`.
    ///   - mask: The mask, 0 to 7, or `nil` for the mask with the lowest penalty.
    /// - Returns: `nil` if the text has another character or is longer than ``capacity``.
    public init?(_ text: String, mask: Int? = nil) {
        guard let values = QRSegment.values(of: text), values.count <= Self.capacity else { return nil }
        let format = QRFormat.setupPayload
        self.init(QRSegment.codewords(of: values, count: format.dataCodewords), format, mask: mask)
    }

    /// Creates a QR code of any text: in byte mode with error correction level M, of the smallest version that suffices.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - mask: The mask, 0 to 7, or `nil` for the mask with the lowest penalty.
    /// - Returns: `nil` if the text is longer than ``byteCapacity``.
    public init?(ofText text: String, mask: Int? = nil) {
        let bytes = Array(text.utf8)
        let format = QRFormat.medium.first { QRSegment.bits(ofBytes: bytes.count, $0) <= 8 * $0.dataCodewords }
        guard let format else { return nil }
        self.init(QRSegment.codewords(ofBytes: bytes, format), format, mask: mask)
    }

    private init(_ data: [UInt8], _ format: QRFormat, mask: Int?) {
        precondition(mask.map(QRModules.masks.contains) ?? true, "a mask must be 0 to 7")
        let plain = QRModules(codewords: format.codewords(of: data), format)
        self.mask = mask ?? plain.bestMask
        modules = plain.finished(self.mask)
    }

    /// Returns whether a module is dark.
    ///
    /// - Parameters:
    ///   - x: The column from the left. Modules outside the symbol are light.
    ///   - y: The row from the top.
    public func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<side).contains(x) && (0..<side).contains(y) && modules[x, y]
    }

    /// The dark modules as the data of a path in SVG, in which a module is one unit wide. The quiet zone isn't included.
    public var path: String {
        var path = ""
        for y in 0..<side {
            var x = 0
            while x < side {
                let start = x
                while isDark(x, y) { x += 1 }
                if x > start { path += "M\(start) \(y)h\(x - start)v1h-\(x - start)z" }
                x += 1
            }
        }
        return path
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
