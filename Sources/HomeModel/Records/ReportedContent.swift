import HAPCatalog

// Data that an accessory reports is limited before it is stored: strings of any length, and numbers that JSON can't
// represent, must not get into a log.

extension AccessoryInformation {
    /// The information in its stored form.
    var kept: AccessoryInformation {
        AccessoryInformation(
            manufacturer: manufacturer?.keptText,
            model: model?.keptText,
            serialNumber: serialNumber?.keptText,
            firmwareRevision: firmwareRevision?.keptText
        )
    }
}

extension ServiceShape {
    /// The service in its stored form.
    var kept: ServiceShape {
        var service = self
        service.reportedName = reportedName?.keptText
        service.linked = Array(linked.prefix(HomeLimits.servicesPerAccessory))
        service.characteristics = characteristics.map(\.kept)
        return service
    }
}

extension CharacteristicShape {
    /// The characteristic in its stored form.
    var kept: CharacteristicShape {
        var characteristic = self
        characteristic.metadata = metadata.kept
        return characteristic
    }
}

extension CharacteristicMetadata {
    /// The metadata in its stored form.
    fileprivate var kept: CharacteristicMetadata {
        var metadata = self
        if case .other(let name) = format { metadata.format = .other(name.keptText) }
        metadata.unit = unit.map { CharacteristicUnit(rawValue: $0.rawValue.keptText) }
        metadata.minValue = minValue?.keptBound
        metadata.maxValue = maxValue?.keptBound
        metadata.stepValue = stepValue?.keptBound
        if let validValues, validValues.count > HomeLimits.validValuesPerCharacteristic { metadata.validValues = nil }
        if let validRanges, validRanges.count > HomeLimits.validValuesPerCharacteristic { metadata.validRanges = nil }
        metadata.manufacturerDescription = manufacturerDescription?.keptText
        return metadata
    }
}

extension CharacteristicValue {
    /// The bound if it is finite, otherwise `nil`.
    fileprivate var keptBound: CharacteristicValue? {
        number?.isFinite == true ? self : nil
    }
}

extension String {
    fileprivate var keptText: String { reportedText(length: HomeLimits.reportedTextLength) }
}
