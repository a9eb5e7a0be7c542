import HomeKit

/// The settings of one service: a control for each of its further characteristics.
class CharacteristicSettings: NSObject {
    enum Control: Equatable {
        case toggle(Bool)
        case slider(value: Double, range: ClosedRange<Double>, step: Double)
        case label(String)
    }

    let service: HMService

    init(service: HMService) {
        self.service = service
    }

    func control(for characteristic: HMCharacteristic) -> Control {
        let text = "\(characteristic.value ?? "–")"
        if characteristic.isReadOnly { return .label(text) }
        if characteristic.isBool { return .toggle(characteristic.value as? Bool ?? false) }
        guard characteristic.isNumeric else { return .label(text) }
        return .slider(
            value: (characteristic.value as? NSNumber)?.doubleValue ?? 0,
            range: characteristic.valueRange,
            step: characteristic.metadata?.stepValue?.doubleValue ?? 0.1
        )
    }

    /// Reads everything again. `done` is called with the number of values that could not be read.
    func reload(_ done: @escaping (Int) -> Void) {
        let group = DispatchGroup()
        var failures = 0
        for characteristic in service.displayableCharacteristics where !characteristic.isWriteOnly {
            group.enter()
            characteristic.readValue { error in
                if error != nil { failures += 1 }
                group.leave()
            }
        }
        group.notify(queue: .main) { done(failures) }
    }

    /// Handles a moved slider. The value is limited to its bounds.
    func slide(_ characteristic: HMCharacteristic, to value: Double, then done: @escaping (Error?) -> Void) {
        let range = characteristic.valueRange
        let value = min(max(value, range.lowerBound), range.upperBound)
        characteristic.writeValue(value, completionHandler: done)
    }
}
