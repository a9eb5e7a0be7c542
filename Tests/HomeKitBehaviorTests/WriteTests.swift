import HomeKitTesting
import Synchronization
import Testing

/// Apps that write values.
struct WriteTests {
    @Test(.tags(.ownReading))
    func theNewValueIsThereWhenTheCompletionRuns() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let brightness = try await home.app("A").characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            let seen = Mutex<Int?>(nil)
            brightness.writeValue(55) { error in
                dispatchPrecondition(condition: .onQueue(.main))
                seen.withLock { $0 = error == nil ? brightness.value as? Int : -1 }
            }
            try await home.until("the completion saw the value", is: 55) { seen.withLock { $0 } }
            #expect(try await lamp[\.brightness] == 55)
        }
    }

    @Test func numbersOfTheWrongKindAreTakenWhereTheyConvertWithoutLoss() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let sample = try await home.add(file: Files.values)
            let app = home.app("A")
            let power = try await app.characteristic(HMCharacteristicTypePowerState, of: "Desk")
            for (value, isOn) in [(1 as Any, true), (0.0, false), (NSNumber(value: 1), true), (false, false)] {
                try await power.writeValue(value)
                #expect(try await lamp[\.on] == .bool(isOn))
            }
            let brightness = try await app.characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            for value in [40.0 as Any, Float(40), NSNumber(value: 40.0), UInt8(40), Decimal(40)] {
                try await brightness.writeValue(0)
                try await brightness.writeValue(value)
                #expect(try await lamp[\.brightness] == 40, "\(type(of: value))")
            }
            let fraction = try await app.characteristic(Sample.fraction, of: "Values")
            try await fraction.writeValue(3)
            #expect(try await sample[Sample.fraction] == 3)
            #expect(fraction.value as? Double == 3)
            let json = try JSONSerialization.jsonObject(with: Data(#"{"small": 12.0, "on": true}"#.utf8))
            let given = try #require(json as? [String: Any])
            try await app.characteristic(Sample.small, of: "Values").writeValue(given["small"])
            try await power.writeValue(given["on"])
            #expect(try await sample[Sample.small] == 12)
            #expect(try await lamp[\.on] == true)
        }
    }

    @Test func whatTheMetadataRulesOutIsRefusedAndChangesNothing() async throws {
        try await withTestHome { home in
            let sample = try await home.add(file: Files.values)
            let app = home.app("A")
            func refusal(_ type: String, _ value: Any?) async throws -> HMError.Code? {
                let characteristic = try await app.characteristic(type, of: "Values")
                return await code { try await characteristic.writeValue(value) }
            }
            #expect(try await refusal(Sample.fraction, 0.4) == .valueLowerThanMinimum)
            #expect(try await refusal(Sample.fraction, 10.5) == .valueHigherThanMaximum)
            #expect(try await refusal(Sample.small, 201) == .valueHigherThanMaximum)
            #expect(try await refusal(Sample.small, -1) == .valueLowerThanMinimum)
            #expect(try await refusal(Sample.small, 1.5) == .invalidValueType)
            #expect(try await refusal(Sample.small, "7") == .invalidValueType)
            #expect(try await refusal(Sample.small, nil) == .nilParameter)
            #expect(try await refusal(Sample.choice, 2) == .invalidParameter)
            #expect(try await refusal(Sample.text, "123456789") == .stringLongerThanMaximum)
            #expect(try await refusal(Sample.sign, 1) == .readOnlyCharacteristic)
            #expect(try await sample[Sample.fraction] == 2)
            #expect(try await sample[Sample.small] == 7)
            #expect(try await sample[Sample.choice] == 3)
            // The bounds themselves are valid.
            for (type, value) in [(Sample.fraction, 0.5 as Any), (Sample.fraction, 10), (Sample.small, 200)] {
                #expect(try await refusal(type, value) == nil)
            }
            #expect(try await refusal(Sample.text, "12345678") == nil)
        }
    }

    @Test(.tags(.ownReading))
    func writesToOneAccessoryHappenInTheirOrder() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let app = home.app("A")
            let power = try await app.characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let brightness = try await app.characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            let recorder = DelegateRecorder()
            let other = try await home.app("B").characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            other.service?.accessory?.delegate = recorder
            try await other.enableNotification(true)
            let completed = Mutex(0)
            let count: @Sendable ((any Error)?) -> Void = { error in
                if error == nil { completed.withLock { $0 += 1 } }
            }
            power.writeValue(true, completionHandler: count)
            for percent in 1...60 { brightness.writeValue(percent, completionHandler: count) }
            power.writeValue(false, completionHandler: count)
            try await home.until("all were written", is: 62) { completed.withLock { $0 } }
            #expect(try await lamp[\.brightness] == 60)
            #expect(try await lamp[\.on] == false)
            #expect(brightness.value as? Int == 60)
            #expect(power.value as? Bool == false)
            try await home.until("another app knows the last", is: 60) { other.value as? Int }
            try await home.until("another app is notified of the last", is: "Desk Brightness 60") {
                recorder.notes.last
            }
            let percents = recorder.notes.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            #expect(percents == percents.sorted())
        }
    }

    @Test func aWriteToWhatIsAwayFailsAndTheValueStays() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await power.writeValue(true)
            await lamp.switchOff()
            try await home.until("it is away") { power.service?.accessory?.isReachable == false }
            do {
                try await power.writeValue(false)
                Issue.record("it was written to an accessory that is away")
            } catch HMError.accessoryNotReachable {
                #expect(power.value as? Bool == true)
            }
        }
    }

    @Test func identifyLetsTheAccessoryShowItself() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let accessory = try await home.app("A").accessory("Desk")
            #expect(accessory.supportsIdentify)
            try await accessory.identify()
            try await home.until("it was asked once", is: 1) { await lamp.identifications }
        }
    }

    @Test(.tags(.ownReading))
    func anErrorIsAnNSErrorWithDomainCodeAndWordsForPeople() async throws {
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"))
            let brightness = try await home.app("A").characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            let given = Mutex<NSError?>(nil)
            brightness.writeValue(101) { error in given.withLock { $0 = error as NSError? } }
            try await home.until("the error was given") { given.withLock { $0 != nil } }
            let error = try #require(given.withLock { $0 })
            #expect(error.domain == HMErrorDomain)
            #expect(error.code == HMError.Code.valueHigherThanMaximum.rawValue)
            #expect(error.localizedDescription == "The value is too high.")
        }
    }
}
