package import HAP

extension ReceiverRecord {
    /// The model of our receivers.
    static let model = "Hearth"
    /// The version of Apple's software whose behavior senders may expect.
    private static let sourceVersion = "366.0"
    private static let protocolVersion = "1.1"

    /// Adds AirPlay 2 to a record.
    package mutating func addAirPlay2(_ identity: AccessoryIdentity, needsPIN: Bool) {
        features = [.audio, .artwork, .progress, .text, .audioFormats, .classicOnSamePort, .encryption]
        features.insert(needsPIN ? .pairing : .transientPairing)
        self.needsPIN = needsPIN
        publicKey = identity.keyPair.publicKey
        deviceID = identity.deviceID.bytes.hexadecimal.uppercased()
    }

    /// Reads the record of the second service, whose name is the receiver's.
    ///
    /// Returns `nil` if the record lacks the ID.
    package init?(airPlayName name: String, txt value: (String) -> String?) {
        let digits = (value("deviceid") ?? "").filter { $0 != ":" }
        guard digits.count == 12, digits.allSatisfy(\.isHexDigit) else { return nil }
        self.init(deviceID: digits.uppercased(), name: name)
        features = (value("features") ?? value("ft")).flatMap { ReceiverFeatures($0) } ?? []
        let kinds: [(ReceiverFeatures, MetadataKind)] = [(.text, .text), (.artwork, .artwork), (.progress, .progress)]
        metadata = Set(kinds.filter { features.contains($0.0) }.map(\.1))
        acceptsUnencrypted = features.contains(.classicOnSamePort)
        let status = value("flags").flatMap { ReceiverStatus($0) } ?? []
        needsPassword = status.contains(.needsPassword)
        needsPIN = !status.isDisjoint(with: [.needsPIN, .needsPairing])
        model = value("model")
        publicKey = value("pk").flatMap { Hexadecimal.bytes($0) }.flatMap { LongTermPublicKey($0) }
    }

    /// The state of the receiver.
    var status: ReceiverStatus {
        var status: ReceiverStatus = .ready
        if needsPassword { status.insert(.needsPassword) }
        if needsPIN { status.formUnion([.needsPIN, .needsPairing]) }
        return status
    }

    /// The device ID with colons.
    private var address: String {
        stride(from: 0, to: deviceID.count, by: 2).map { offset in
            String(deviceID.dropFirst(offset).prefix(2))
        }
        .joined(separator: ":")
    }

    /// The keys and values of the TXT record of the second service, whose name is the receiver's.
    package var airPlayTXT: [(key: String, value: String)] {
        var txt = [
            ("acl", "0"), ("deviceid", address), ("features", features.text), ("flags", status.text),
            ("model", model ?? Self.model), ("protovers", Self.protocolVersion), ("srcvers", Self.sourceVersion),
        ]
        if let publicKey { txt.append(("pk", publicKey.description)) }
        return txt
    }

    /// The request with which a receiver opens its event channel.
    package var updateInformation: RTSPRequest {
        let body: PropertyList = ["type": "updateInfo", "value": information]
        let headers: HTTPHeaders = [
            RTSPHeaderName.sequence: "1", HTTPHeaderName.contentType: PropertyList.contentType,
        ]
        return RTSPRequest(.post, "/command", headers: headers, body: body.bytes)
    }

    /// The answer to a request for information about the receiver.
    var information: PropertyList {
        var information: [String: PropertyList] = [
            "deviceID": .string(address), "macAddress": .string(address), "name": .string(name),
            "features": .integer(Int128(features.rawValue)), "statusFlags": .integer(Int128(status.rawValue)),
            "model": .string(model ?? Self.model), "protocolVersion": .string(Self.protocolVersion),
            "sourceVersion": .string(Self.sourceVersion),
        ]
        if let publicKey { information["pk"] = .data(publicKey.bytes) }
        return .dictionary(information)
    }
}
