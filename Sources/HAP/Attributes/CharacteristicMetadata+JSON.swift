import HAPCatalog

extension CharacteristicMetadata {
    /// Decodes the metadata from a characteristic's attributes. A missing format comes from the catalog.
    init(decoding object: AttributeObject, type: HAPType?) {
        let catalogFormat = type.flatMap(CharacteristicDefinition.of)?.metadata.format
        let explicitFormat = object.optionalString(AttributeKey.format).map(CharacteristicFormat.init(rawValue:))
        let format = explicitFormat ?? catalogFormat ?? .other("")
        let validValues = object.optionalList(AttributeKey.validValues)?.compactMap(\.wholeInteger).sorted() ?? []
        let unit = object.optionalString(AttributeKey.unit)
        self.init(
            format: format,
            unit: unit.flatMap { $0.isEmpty ? nil : CharacteristicUnit(rawValue: $0) },
            minValue: object.number(AttributeKey.minValue),
            maxValue: object.number(AttributeKey.maxValue),
            stepValue: object.number(AttributeKey.stepValue),
            maxLength: object.length(AttributeKey.maxLength),
            maxDataLength: object.length(AttributeKey.maxDataLength),
            validValues: validValues.isEmpty ? nil : validValues,
            validRanges: Self.ranges(object.optionalList(AttributeKey.validRanges)),
            manufacturerDescription: object.optionalString(AttributeKey.description)
        )
    }

    /// Decodes `[[low, high], …]`, the form that Apple's accessory writes, or `[low, high]`, which others write.
    private static func ranges(_ elements: [JSONValue]?) -> [ClosedRange<Int64>]? {
        guard let elements else { return nil }
        let pairs = elements.contains { $0.array != nil } ? elements.compactMap(\.array) : [elements]
        let ranges = pairs.compactMap { pair -> ClosedRange<Int64>? in
            guard pair.count == 2, let low = pair[0].wholeInteger, let high = pair[1].wholeInteger, low <= high else {
                return nil
            }
            return low...high
        }
        return ranges.isEmpty ? nil : ranges
    }

    /// Encodes the metadata as members of the enclosing object.
    func encode(to writer: inout JSONWriter) {
        writer.member(AttributeKey.format, format.rawValue)
        if let manufacturerDescription { writer.member(AttributeKey.description, manufacturerDescription) }
        if let unit { writer.member(AttributeKey.unit, unit.rawValue) }
        if let minValue { writer.member(AttributeKey.minValue, minValue) }
        if let maxValue { writer.member(AttributeKey.maxValue, maxValue) }
        if let stepValue { writer.member(AttributeKey.stepValue, stepValue) }
        if let maxLength { writer.member(AttributeKey.maxLength, maxLength) }
        if let maxDataLength { writer.member(AttributeKey.maxDataLength, maxDataLength) }
        if let validValues {
            writer.key(AttributeKey.validValues)
            writer.array { writer in
                for value in validValues { writer.write(value) }
            }
        }
        if let validRanges {
            writer.key(AttributeKey.validRanges)
            writer.array { writer in
                for range in validRanges {
                    writer.array { writer in
                        writer.write(range.lowerBound)
                        writer.write(range.upperBound)
                    }
                }
            }
        }
    }
}
