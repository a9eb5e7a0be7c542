internal import Crypto
internal import HAPCatalog

/// The hash of setup ID and device ID with which a controller finds the accessory whose code it scanned.
public struct SetupHash: Hashable, Sendable {
    /// The first four bytes of the SHA-512 hash.
    public let bytes: [UInt8]

    private static let length = 4

    /// Computes the hash.
    public init(setupID: SetupID, deviceID: DeviceID) {
        bytes = Array(SHA512.hash(data: Array((setupID.description + deviceID.description).utf8)).prefix(Self.length))
    }

    /// The value of the TXT record's `sh`: the bytes in base64.
    public var textValue: String {
        Base64.encode(bytes)
    }
}
