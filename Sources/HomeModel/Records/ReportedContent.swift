import HAPCatalog

// Data that an accessory reports is limited before it is stored: strings of any length, and numbers that JSON can't
// represent, must not get into a log.

extension AccessoryInformation {
    /// The information in its stored form.
    var bounded: AccessoryInformation {
        AccessoryInformation(
            manufacturer: manufacturer?.boundedText,
            model: model?.boundedText,
            serialNumber: serialNumber?.boundedText,
            firmwareRevision: firmwareRevision?.boundedText
        )
    }
}

extension ServiceShape {
    /// The service in its stored form.
    var bounded: ServiceShape {
        var service = self
        service.reportedName = reportedName?.boundedText
        service.linked = Array(linked.prefix(HomeLimits.servicesPerAccessory))
        service.characteristics = characteristics.map(\.bounded)
        return service
    }
}

extension CharacteristicShape {
    /// The characteristic in its stored form.
    var bounded: CharacteristicShape {
        var characteristic = self
        characteristic.metadata = metadata.bounded
        return characteristic
    }
}

extension CharacteristicMetadata {
    /// The metadata in its stored form.
    fileprivate var bounded: CharacteristicMetadata {
        var metadata = self
        if case .other(let name) = format { metadata.format = .other(name.boundedText) }
        metadata.unit = unit.map { CharacteristicUnit(rawValue: $0.rawValue.boundedText) }
        metadata.minValue = minValue?.finiteBound
        metadata.maxValue = maxValue?.finiteBound
        metadata.stepValue = stepValue?.finiteBound
        if let validValues, validValues.count > HomeLimits.validValuesPerCharacteristic { metadata.validValues = nil }
        if let validRanges, validRanges.count > HomeLimits.validValuesPerCharacteristic { metadata.validRanges = nil }
        metadata.manufacturerDescription = manufacturerDescription?.boundedText
        return metadata
    }
}

extension CharacteristicValue {
    /// The bound if it is finite, otherwise `nil`.
    fileprivate var finiteBound: CharacteristicValue? {
        number?.isFinite == true ? self : nil
    }
}

extension String {
    fileprivate var boundedText: String { reportedText(length: HomeLimits.reportedTextLength) }
}
