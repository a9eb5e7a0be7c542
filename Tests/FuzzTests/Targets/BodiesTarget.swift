@testable import HAP
import HAPCatalog

extension FuzzTarget {
    /// The JSON bodies of HAP messages on both sides.
    static let jsonBodies = FuzzTarget("json-bodies", maximumLength: 1_024) { input throws(Violation) in
        let isKnown = [
            try checkIsWrittenBack(input, { try? AttributeDatabase(decoding: $0) }, { $0.encoded() }),
            try checkIsWrittenBack(input, { try? CharacteristicReadResponse(decoding: $0) }, { $0.encoded() }),
            try checkIsWrittenBack(input, { try? CharacteristicWriteRequest(decoding: $0) }, { $0.encoded() }),
            try checkIsWrittenBack(input, { try? CharacteristicWriteResponse(decoding: $0) }, { $0.encoded() }),
            try checkIsWrittenBack(input, { try? CharacteristicEvent(decoding: $0) }, { $0.encoded() }),
            try checkIsWrittenBack(input, { try? PrepareRequest(decoding: $0) }, { $0.encoded() }),
            try checkIsWrittenBack(input, { try? StatusBody(decoding: $0) }, { $0.encoded() }),
        ]
        if let scanned = CharacteristicListScanner.request(input[...]) {
            let decoded = try? CharacteristicWriteRequest(decodingTree: input)
            try hold(scanned == decoded, "a scanned request is the decoded one")
        }
        if let scanned = CharacteristicListScanner.event(input[...]) {
            let decoded = try? CharacteristicEvent(decodingTree: input)
            try hold(scanned == decoded, "a scanned event is the decoded one")
        }
        if let database = try? AttributeDatabase(decoding: input) { try check(database) }
        if let request = try? CharacteristicWriteRequest(decoding: input) { try check(request) }
        if let response = try? CharacteristicReadResponse(decoding: input) {
            try hold(response.isComplete == (response.status == .ok), "207 reports failures")
        }
        return isKnown.contains(true)
    }

    /// Checks that encoding and decoding again is stable. Only the first decoding is lenient.
    private static func checkIsWrittenBack<Body>(
        _ input: [UInt8],
        _ read: ([UInt8]) -> Body?,
        _ write: (Body) -> [UInt8]
    ) throws(Violation) -> Bool {
        guard let body = read(input) else { return false }
        let text = write(body)
        let again = read(text)
        try hold(again.map(write) == text, "\(Body.self) is encoded as it was decoded")
        return true
    }

    private static func check(_ database: AttributeDatabase) throws(Violation) {
        let structure = database.encoded(includingValues: false)
        let values = database.accessories.flatMap(\.services).flatMap(\.characteristics)
        for characteristic in values {
            guard let value = characteristic.value else { continue }
            let metadata = characteristic.metadata
            guard let valid = try? metadata.validate(value) else { continue }
            try hold((try? metadata.validate(valid)) == valid, "a converted value is valid")
            try hold(valid.converted(to: metadata.format) == valid, "a valid value is converted to its format")
        }
        var bare = database
        for accessory in bare.accessories.indices {
            for service in bare.accessories[accessory].services.indices {
                for index in bare.accessories[accessory].services[service].characteristics.indices {
                    bare.accessories[accessory].services[service].characteristics[index].value = nil
                    bare.accessories[accessory].services[service].characteristics[index].events = nil
                }
            }
        }
        try hold(bare.encoded(includingValues: false) == structure, "the structure has no values")
    }

    private static func check(_ request: CharacteristicWriteRequest) throws(Violation) {
        for entry in request.entries {
            let isEmpty = entry.value == nil && entry.events == nil
            try hold(!isEmpty || entry.decodingStatus == .invalidValue, "an empty entry is invalid")
        }
    }
}
