import HomeKitTesting
import Synchronization
import Testing

/// Apps that read values.
struct ReadTests {
    @Test func everyOneOfManyReadsAtOnceCompletesOnce() async throws {
        try await withTestHome { home in
            _ = try await home.add(.bridge("Bridge", .lamp("One"), .lamp("Two"), .lamp("Three"), .thermometer()))
            _ = try await home.add(.lamp("Four"))
            let readable = try await home.app("A").home().accessories.flatMap(\.services).flatMap(\.characteristics)
                .filter { $0.properties.contains(HMCharacteristicPropertyReadable) }
            let reads = Array(repeatElement(readable, count: 1 + 500 / readable.count).joined())
            let completions = Mutex([Int: Int]())
            let failures = Mutex(0)
            for (index, characteristic) in reads.enumerated() {
                characteristic.readValue { error in
                    completions.withLock { $0[index, default: 0] += 1 }
                    if error != nil || characteristic.value == nil { failures.withLock { $0 += 1 } }
                }
            }
            try await home.until("all have completed", is: reads.count) { completions.withLock { $0.count } }
            #expect(completions.withLock { $0.values.filter { $0 != 1 }.isEmpty })
            #expect(failures.withLock { $0 } == 0)
        }
    }

    @Test func aGroupThatWaitsForAllReadsIsLeftThoughSomeFail() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            _ = try await home.add(.thermometer("Thermometer"))
            let app = home.app("A")
            let own = try await app.home()
            await lamp.switchOff()
            let desk = try await app.accessory("Desk")
            try await home.until("the lamp is away") { !desk.isReachable }
            let characteristics = own.accessories.flatMap(\.services).flatMap(\.characteristics)
            let failed = Mutex(Set<HMAccessory>())
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let group = DispatchGroup()
                for characteristic in characteristics
                where characteristic.properties.contains(HMCharacteristicPropertyReadable) {
                    group.enter()
                    characteristic.readValue { error in
                        if (error as? HMError)?.code == .accessoryNotReachable,
                            let of = characteristic.service?.accessory
                        {
                            _ = failed.withLock { $0.insert(of) }
                        }
                        group.leave()
                    }
                }
                group.notify(queue: .main) { continuation.resume() }
            }
            #expect(failed.withLock { $0 } == [desk])
        }
    }

    @Test func aFailedReadLeavesTheValueThatWasKnown() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let brightness = try await home.app("A").characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            try await lamp.set(\.brightness, to: 40)
            try await brightness.readValue()
            #expect(brightness.value as? Int == 40)
            await lamp.switchOff()
            try await home.until("the lamp is away") { brightness.service?.accessory?.isReachable == false }
            #expect(await code { try await brightness.readValue() } == .accessoryNotReachable)
            #expect(brightness.value as? Int == 40)
        }
    }

    @Test func numbersCastToEveryTypeThatHoldsThem() async throws {
        try await withTestHome { home in
            let sample = try await home.add(file: Files.values)
            let app = home.app("A")
            func value(_ type: String) async throws -> Any {
                let characteristic = try await app.characteristic(type, of: "Values")
                try await characteristic.readValue()
                return try #require(characteristic.value)
            }
            let small = try await value(Sample.small)
            #expect(small as? Int == 7 && small as? UInt8 == 7 && small as? Double == 7 && small as? Float == 7)
            #expect(small as? NSNumber == 7 && small as? Bool == nil && small as? String == nil)
            // An integer in a format with fractions.
            let fraction = try await value(Sample.fraction)
            #expect(fraction as? Double == 2 && fraction as? Int == 2 && fraction as? Float == 2)
            try await sample.set(Sample.fraction, to: 2.5)
            let half = try await value(Sample.fraction)
            #expect(half as? Double == 2.5 && half as? Float == 2.5 && half as? Int == nil)
            let big = try await value(Sample.big)
            #expect(big as? Int == 4_294_967_296 && big as? UInt64 == 4_294_967_296 && big as? UInt8 == nil)
            #expect(try await value(Sample.sign) as? Int == -3)
        }
    }

    @Test func boolsAreIntegersToo() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            for (isOn, number) in [(CharacteristicValue.bool(true), 1), (.bool(false), 0)] {
                try await lamp.set(\.on, to: isOn)
                try await power.readValue()
                #expect(power.value as? Int == number)
                #expect(power.value as? Bool == (number == 1))
                #expect((power.value as? NSNumber)?.boolValue == (number == 1))
            }
        }
    }

    @Test func textIsAStringAndBytesAreData() async throws {
        try await withTestHome { home in
            _ = try await home.add(file: Files.values)
            let app = home.app("A")
            let text = try await app.characteristic(Sample.text, of: "Values")
            let bytes = try await app.characteristic(Sample.bytes, of: "Values")
            let items = try await app.characteristic(Sample.items, of: "Values")
            for characteristic in [text, bytes, items] { try await characteristic.readValue() }
            #expect(text.value as? String == "Hall")
            #expect(text.value as? Int == nil)
            #expect(bytes.value as? Data == Data([1, 2, 3]))
            #expect(items.value as? Data == Data([1, 1, 2]))
            try await bytes.writeValue(Data([9, 8]))
            try await bytes.readValue()
            #expect(bytes.value as? Data == Data([9, 8]))
        }
    }

    @Test func whatIsOnlyWrittenCannotBeReadAndHasNoValue() async throws {
        try await withTestHome { home in
            _ = try await home.add(file: Files.values)
            let order = try await home.app("A").characteristic(Sample.order, of: "Values")
            #expect(order.properties == [HMCharacteristicPropertyWritable])
            #expect(await code { try await order.readValue() } == .writeOnlyCharacteristic)
            try await order.writeValue(1)
            #expect(order.value == nil)
        }
    }

    @Test func metadataTellsWhatAValueMayBe() async throws {
        try await withTestHome { home in
            _ = try await home.add(file: Files.values)
            let app = home.app("A")
            let fraction = try #require(try await app.characteristic(Sample.fraction, of: "Values").metadata)
            #expect(fraction.format == HMCharacteristicMetadataFormatFloat)
            #expect(fraction.minimumValue == 0.5 && fraction.maximumValue == 10 && fraction.stepValue == 0.5)
            #expect(fraction.manufacturerDescription == "Fraction")
            #expect(fraction.validValues == nil && fraction.maxLength == nil && fraction.units == nil)
            let choice = try #require(try await app.characteristic(Sample.choice, of: "Values").metadata)
            #expect(choice.validValues == [1, 3, 9])
            let text = try #require(try await app.characteristic(Sample.text, of: "Values").metadata)
            #expect(text.maxLength == 8 && text.format == HMCharacteristicMetadataFormatString)
        }
    }
}
