internal import HAP
internal import HAPCatalog

/// The accessory's identity, setup code and setup ID.
struct StoredCredentials: StoredContent, Equatable {
    static let document = StorageDocument.credentials

    private(set) var format = StorageFormat.first
    let identity: AccessoryIdentity
    var setupCode: SetupCode
    var setupID: SetupID

    private enum CodingKeys: String, CodingKey {
        case format, deviceID, longTermKey, setupCode, setupID
    }

    init(identity: AccessoryIdentity, setupCode: SetupCode, setupID: SetupID) {
        self.identity = identity
        self.setupCode = setupCode
        self.setupID = setupID
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value>(_ key: CodingKeys, _ read: (String) -> Value?) throws -> Value {
            guard let value = read(try container.decode(String.self, forKey: key)) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "malformed")
            }
            return value
        }
        format = try container.decode(StorageFormat.self, forKey: .format)
        identity = AccessoryIdentity(
            deviceID: try container.decode(DeviceID.self, forKey: .deviceID),
            keyPair: try value(.longTermKey) { Base64.decode($0).flatMap(LongTermKeyPair.init(seed:)) }
        )
        setupCode = try value(.setupCode) { try? SetupCode($0) }
        setupID = try value(.setupID) { SetupID($0) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(format, forKey: .format)
        try container.encode(identity.deviceID, forKey: .deviceID)
        try container.encode(Base64.encode(identity.keyPair.seed), forKey: .longTermKey)
        try container.encode(setupCode.dashed, forKey: .setupCode)
        try container.encode(setupID.description, forKey: .setupID)
    }
}
