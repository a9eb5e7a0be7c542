/// The payload of an accessory's QR code or NFC tag: `X-HM://` followed by nine digits in base 36 and the setup ID.
public struct SetupPayload: Hashable, Sendable {
    /// The transports that an accessory supports.
    public struct Transports: OptionSet, Hashable, Sendable {
        /// The bits in the payload.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// HAP over IP.
        public static let ip = Transports(rawValue: 1 << 0)
        /// HAP over Bluetooth LE.
        public static let bluetoothLE = Transports(rawValue: 1 << 1)
    }

    /// The accessory category, as in the TXT record's `ci`, limited to 8 bits.
    public var category: UInt8
    /// The transports that the accessory supports.
    public var transports: Transports
    /// Whether the accessory was paired when the payload was created. There is then no setup code and no setup ID.
    public var isPaired: Bool
    /// The setup code, if the payload contains it.
    public var setupCode: SetupCode?
    /// The setup ID, if the payload contains it. `0000` without a code means none.
    public var setupID: SetupID?

    /// Creates a payload.
    public init(
        category: UInt8,
        transports: Transports = .ip,
        isPaired: Bool = false,
        setupCode: SetupCode?,
        setupID: SetupID?
    ) {
        self.category = category
        self.transports = transports
        self.isPaired = isPaired
        self.setupCode = setupCode
        self.setupID = setupID
    }
}

extension SetupPayload {
    /// The layout of the 46-bit number: the lowest bit of each field, and the widths.
    private enum Layout {
        static let codeBits: UInt64 = 27
        static let paired: UInt64 = 27
        static let transports: UInt64 = 28
        static let transportBits: UInt64 = 2
        static let category: UInt64 = 31
        static let version: UInt64 = 43
        static let versionBits: UInt64 = 3
    }

    private static let scheme = "X-HM://"
    private static let digits = 9
    private static let radix = 36
    private static let setupIDLength = 4
    private static let noSetupID = "0000"

    /// The payload as the text of a QR code.
    public var uri: String {
        var number = UInt64(setupCode?.number ?? 0)
        number |= (isPaired ? 1 : 0) << Layout.paired
        number |= UInt64(transports.rawValue) << Layout.transports
        number |= UInt64(category) << Layout.category
        let text = String(number, radix: Self.radix, uppercase: true)
        let padding = String(repeating: "0", count: max(0, Self.digits - text.count))
        return Self.scheme + padding + text + (setupID?.description ?? Self.noSetupID)
    }

    /// Parses the text of a QR code, in either case. Reserved bits are ignored.
    public init(_ uri: String) throws(SetupPayloadError) {
        let text = uri.uppercased()
        guard text.hasPrefix(Self.scheme) else { throw .wrongScheme }
        // Check the original, because some other letters become ASCII in uppercase.
        guard uri.utf8.allSatisfy({ $0 < 0x80 }) else { throw .wrongForm }
        let body = text.dropFirst(Self.scheme.count)
        let idText = body.dropFirst(Self.digits)
        guard body.count == Self.digits + Self.setupIDLength,
            let id = SetupID(idText),
            body.utf8.allSatisfy(SetupID.alphabet.contains),
            let number = UInt64(body.prefix(Self.digits), radix: Self.radix)
        else { throw .wrongForm }
        func field(_ offset: UInt64, bits: UInt64) -> UInt64 { number >> offset & (1 << bits - 1) }
        guard number >> (Layout.version + Layout.versionBits) == 0 else { throw .wrongForm }
        guard field(Layout.version, bits: Layout.versionBits) == 0 else { throw .unsupportedVersion }
        let code = UInt32(field(0, bits: Layout.codeBits))
        do {
            setupCode = code == 0 ? nil : try SetupCode(number: code)
        } catch {
            throw .invalidCode(error)
        }
        setupID = code == 0 && id.description == Self.noSetupID ? nil : id
        category = UInt8(truncatingIfNeeded: number >> Layout.category)
        isPaired = field(Layout.paired, bits: 1) == 1
        transports = Transports(rawValue: UInt8(field(Layout.transports, bits: Layout.transportBits)))
    }
}
