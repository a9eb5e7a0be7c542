import HAPCatalog
import Testing

/// Tests the generated tables against facts from the published specification and from accessories.
@Suite struct CatalogFactTests {
    @Test func brightnessIsAPercentageInWholeSteps() throws {
        let brightness = try #require(CharacteristicDefinition.of(HAPType(short: 0x8)))
        #expect(brightness.name == "Brightness")
        #expect(brightness.homeKitConstant == "HMCharacteristicTypeBrightness")
        #expect(brightness.permissions == [.read, .write, .notify])
        #expect(
            brightness.metadata
                == CharacteristicMetadata(
                    format: .int,
                    unit: .percentage,
                    minValue: .integer(0),
                    maxValue: .integer(100),
                    stepValue: .integer(1)
                )
        )
    }

    @Test(arguments: [
        ("On", 0x25, CharacteristicFormat.bool), ("Identify", 0x14, .bool), ("Hue", 0x13, .float),
        ("Saturation", 0x2F, .float), ("RotationSpeed", 0x29, .float), ("CurrentTemperature", 0x11, .float),
        ("TargetTemperature", 0x35, .float), ("CurrentDoorState", 0xE, .uint8), ("TargetDoorState", 0x32, .uint8),
        ("LockTargetState", 0x1E, .uint8), ("MotionDetected", 0x22, .bool), ("ContactSensorState", 0x6A, .uint8),
        ("BatteryLevel", 0x68, .uint8), ("ProgrammableSwitchEvent", 0x73, .uint8), ("Name", 0x23, .string),
        ("Manufacturer", 0x20, .string), ("Model", 0x21, .string), ("SerialNumber", 0x30, .string),
        ("FirmwareRevision", 0x52, .string), ("Version", 0x37, .string), ("SetupEndpoints", 0x118, .tlv8),
        ("CurrentAmbientLightLevel", 0x6B, .float), ("Active", 0xB0, .uint8), ("PM2.5Density", 0xC6, .float),
    ])
    func wellKnownCharacteristics(_ name: String, _ number: UInt32, _ format: CharacteristicFormat) throws {
        let definition = try #require(CharacteristicDefinition.named(name))
        #expect(definition.type == HAPType(short: number))
        #expect(definition.metadata.format == format)
    }

    @Test(arguments: [
        ("AccessoryInformation", 0x3E), ("Fan", 0x40), ("GarageDoorOpener", 0x41), ("Lightbulb", 0x43),
        ("LockMechanism", 0x45), ("Outlet", 0x47), ("Switch", 0x49), ("Thermostat", 0x4A), ("SecuritySystem", 0x7E),
        ("MotionSensor", 0x85), ("TemperatureSensor", 0x8A), ("StatelessProgrammableSwitch", 0x89),
        ("WindowCovering", 0x8C), ("ProtocolInformation", 0xA2), ("Valve", 0xD0), ("Television", 0xD8),
    ])
    func wellKnownServices(_ name: String, _ number: UInt32) {
        #expect(ServiceDefinition.named(name)?.type == HAPType(short: number))
        #expect(ServiceDefinition.of(HAPType(short: number))?.identifier == name)
    }

    @Test func aLightbulbNeedsOnAlone() throws {
        let lightbulb = try #require(ServiceDefinition.of(.Service.lightbulb))
        #expect(lightbulb.required == [HAPType.Characteristic.on])
        #expect(lightbulb.optional.contains(HAPType.Characteristic.brightness))
    }

    @Test func accessoryInformationNeedsItsSix() throws {
        let information = try #require(ServiceDefinition.of(.Service.accessoryInformation))
        let six: Set<HAPType> = [
            .Characteristic.identify, .Characteristic.manufacturer, .Characteristic.model, .Characteristic.name,
            .Characteristic.serialNumber, .Characteristic.firmwareRevision,
        ]
        #expect(Set(information.required) == six)
    }

    @Test func theBoundsOfTemperaturesAndColours() throws {
        let target = try #require(CharacteristicDefinition.of(.Characteristic.targetTemperature)).metadata
        #expect(target.unit == .celsius)
        #expect(target.minValue == .double(10))
        #expect(target.maxValue == .double(38))
        #expect(target.stepValue == .double(0.1))
        let color = try #require(CharacteristicDefinition.of(.Characteristic.colorTemperature)).metadata
        #expect(color.minValue == .integer(140))
        #expect(color.maxValue == .integer(500))
    }

    @Test func valuesHaveTheirMeanings() throws {
        let door = try #require(CharacteristicDefinition.of(.Characteristic.targetDoorState))
        #expect(door.name(of: .integer(0)) == "Open")
        #expect(door.name(of: .double(1)) == "Closed")
        #expect(door.name(of: .integer(2)) == nil)
        #expect(door.value(named: "closed") == .integer(1))
        #expect(door.value(named: "ajar") == nil)
        let rotation = try #require(CharacteristicDefinition.named("rotation direction"))
        #expect(rotation.value(named: "CounterClockwise") == .integer(1))
        let camera = try #require(CharacteristicDefinition.named("CameraOperatingModeIndicator"))
        #expect(camera.metadata.format == .bool)
        let name = try #require(camera.name(of: .bool(true)))
        #expect(camera.value(named: name) == .bool(true))
    }

    @Test func categoriesHaveNumbersAndNames() {
        #expect(AccessoryCategory.bridge.rawValue == 2)
        #expect(AccessoryCategory.lightbulb.rawValue == 5)
        #expect(AccessoryCategory.sensor.rawValue == 10)
        #expect(AccessoryCategory.garageDoorOpener.name == "Garage Door Opener")
        #expect(AccessoryCategory(named: "garagedooropener") == .garageDoorOpener)
        #expect(AccessoryCategory(named: "toaster") == nil)
        #expect(AccessoryCategory(rawValue: 999).name == nil)
        #expect(AccessoryCategory(rawValue: 999).description == "999")
        #expect(Set(AccessoryCategory.all).count == AccessoryCategory.all.count)
    }

    @Test(arguments: ["TargetDoorState", "targetdoorstate", "Target Door State", "target-door-state"])
    func namesAreFoundInEveryForm(_ name: String) {
        #expect(CharacteristicDefinition.named(name)?.type == .Characteristic.targetDoorState)
    }

    @Test(arguments: ["", " ", "Target/DoorState", "TargetDoorStat", "32", "Tärget"])
    func otherNamesAreNotFound(_ name: String) {
        #expect(CharacteristicDefinition.named(name) == nil)
        #expect(ServiceDefinition.named(name) == nil)
    }
}

/// Tests the invariants of every row.
@Suite struct CatalogRowTests {
    @Test func typesAscendAndNoneServesTwice() {
        let characteristics = CharacteristicDefinition.all.map(\.type)
        let services = ServiceDefinition.all.map(\.type)
        #expect(zip(characteristics, characteristics.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(services, services.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Set(characteristics).isDisjoint(with: services))
        #expect(characteristics.count > 250)
        #expect(services.count > 70)
    }

    @Test func everyRowIsFoundByTypeNameAndIdentifier() {
        for row in CharacteristicDefinition.all {
            #expect(CharacteristicDefinition.of(row.type) == row)
            #expect(CharacteristicDefinition.named(row.name) == row)
            #expect(CharacteristicDefinition.named(row.identifier) == row)
            #expect(row.identifier.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 })
        }
        for row in ServiceDefinition.all {
            #expect(ServiceDefinition.of(row.type) == row)
            #expect(ServiceDefinition.named(row.name) == row)
            #expect(ServiceDefinition.named(row.identifier) == row)
        }
    }

    @Test func servicesHoldKnownCharacteristicsOnce() {
        for service in ServiceDefinition.all {
            let types = service.required + service.optional
            #expect(Set(types).count == types.count, "\(service.name)")
            for type in types { #expect(CharacteristicDefinition.of(type) != nil, "\(service.name): \(type)") }
        }
    }

    @Test func homeKitConstantsAreOfTheRightFamilyAndServeOnce() {
        let characteristics = CharacteristicDefinition.all.compactMap(\.homeKitConstant)
        let services = ServiceDefinition.all.compactMap(\.homeKitConstant)
        #expect(characteristics.allSatisfy { $0.hasPrefix("HMCharacteristicType") })
        #expect(services.allSatisfy { $0.hasPrefix("HMServiceType") })
        #expect(Set(characteristics).count == characteristics.count)
        #expect(Set(services).count == services.count)
    }

    @Test(arguments: CharacteristicDefinition.all)
    func metadataFitsTheFormat(_ row: CharacteristicDefinition) throws {
        let metadata = row.metadata
        let bounds = [metadata.minValue, metadata.maxValue, metadata.stepValue].compactMap(\.self)
        #expect(!row.permissions.isEmpty)
        #expect(row.permissions.isSuperset(of: row.adminOnly))
        #expect(bounds.isEmpty || metadata.format.isNumeric)
        #expect(metadata.unit == nil || metadata.format.isNumeric)
        #expect(metadata.validValues == nil || metadata.format.integerRange != nil)
        #expect(metadata.maxLength == nil || metadata.format == .string)
        for bound in bounds { #expect(bound.converted(to: metadata.format) != nil) }
        if let low = metadata.minValue?.number, let high = metadata.maxValue?.number { #expect(low <= high) }
        for value in metadata.validValues ?? [] {
            #expect(throws: Never.self) { try metadata.validate(.integer(value)) }
        }
        for named in row.namedValues { #expect(row.value(named: named.name) != nil, "\(named)") }
    }

    @Test(arguments: CharacteristicDefinition.all)
    func everyBoundIsValidAndOnePastItIsNot(_ row: CharacteristicDefinition) throws {
        let metadata = row.metadata
        if let minimum = metadata.minValue, let number = minimum.wholeNumber {
            #expect(try metadata.validate(minimum) == minimum)
            let below = CharacteristicValue.integer(Int64(number - 1))
            #expect(throws: CharacteristicValueError.self) { try metadata.validate(below) }
        }
        if let maximum = metadata.maxValue, let number = maximum.wholeNumber {
            #expect(try metadata.validate(maximum, checkingStep: false) == maximum)
            let above = CharacteristicValue.integer(Int64(number + 1))
            #expect(throws: CharacteristicValueError.self) { try metadata.validate(above) }
        }
        let wrong: CharacteristicValue = metadata.format == .string ? .integer(1) : .string("1")
        #expect(throws: CharacteristicValueError.wrongType(wrong, expected: metadata.format)) {
            try metadata.validate(wrong)
        }
    }
}
