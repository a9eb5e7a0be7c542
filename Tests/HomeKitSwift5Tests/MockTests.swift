import HomeKit
import Testing

// Mocks of HomeKit objects as in apps' tests: subclasses that answer from memory. The code must compile unchanged.

class MockCharacteristic: HMCharacteristic {
    private let mockedType: String
    private let mockedID = UUID()
    weak var owner: HMService?
    var stored: Any?
    var error: Error?
    private(set) var written: [Any?] = []

    init(type: String, value: Any? = nil) {
        mockedType = type
        stored = value
        super.init()
    }

    override var uniqueIdentifier: UUID { mockedID }
    override var characteristicType: String { mockedType }
    override var service: HMService? { owner }
    override var value: Any? { stored }
    override var properties: [String] { [HMCharacteristicPropertyReadable, HMCharacteristicPropertyWritable] }
    override var metadata: HMCharacteristicMetadata? { MockMetadata() }

    override func writeValue(_ value: Any?, completionHandler completion: @escaping (Error?) -> Void) {
        written.append(value)
        if error == nil { stored = value }
        completion(error)
    }

    override func readValue(completionHandler completion: @escaping (Error?) -> Void) {
        completion(error)
    }
}

class MockMetadata: HMCharacteristicMetadata {
    override var minimumValue: NSNumber? { 0 }
    override var maximumValue: NSNumber? { 100 }
}

class MockService: HMService {
    var mockedCharacteristics: [MockCharacteristic] = []
    override var serviceType: String { HMServiceTypeLightbulb }
    override var name: String { "Lamp" }
    override var characteristics: [HMCharacteristic] { mockedCharacteristics }
}

class MockAccessory: HMAccessory {
    var mockedID: UUID = UUID()
    var mockedServices: [HMService] = []
    weak var mockedDelegate: HMAccessoryDelegate?

    override init() {
        super.init()
    }

    override var uniqueIdentifier: UUID { mockedID }
    override var name: String { "Desk" }
    override var isReachable: Bool { true }
    override var services: [HMService] { mockedServices }
    override var delegate: HMAccessoryDelegate? {
        get { mockedDelegate }
        set { mockedDelegate = newValue }
    }
}

class MockBrowser: HMAccessoryBrowser {
    let accessory = MockAccessory()
    override var discoveredAccessories: [HMAccessory] { [accessory] }

    override func startSearchingForNewAccessories() {
        delegate?.accessoryBrowser(self, didFindNewAccessory: accessory)
    }
}

class MockHomeManager: HMHomeManager {
    var mockedHomes: [HMHome] = []
    override var homes: [HMHome] { mockedHomes }
    override var authorizationStatus: HMHomeManagerAuthorizationStatus { [.determined, .authorized] }
}

class PreparedHomeManager: HMHomeManager {
    var isPrepared = false

    required override init() {
        super.init()
        isPrepared = true
    }
}

/// What an app would have of an accessory, as in a list on the screen.
struct AccessoryRow {
    var accessory = HMAccessory()
    var service = HMService()
    var power = HMCharacteristic()
}

@Suite struct MockTests {
    private func lamp() -> (accessory: MockAccessory, power: MockCharacteristic) {
        let power = MockCharacteristic(type: HMCharacteristicTypePowerState, value: false)
        let service = MockService()
        service.mockedCharacteristics = [power]
        power.owner = service
        let accessory = MockAccessory()
        accessory.mockedServices = [service]
        return (accessory, power)
    }

    @Test func anAppsCodeUsesWhatAMockAnswers() throws {
        let (accessory, power) = lamp()
        #expect(accessory.name == "Desk")
        #expect(accessory.isReachable)
        let controller = try #require(LightController(accessory.services[0]))
        #expect(controller.characteristic === power)
        #expect((power as HMCharacteristic).metadata?.maximumValue == 100)
        #expect((power as HMCharacteristic).metadata?.stepValue == nil)
        #expect((power as HMCharacteristic).service === accessory.services[0])
    }

    @Test func theAsyncFormOfAMethodIsTheOverriddenOne() async throws {
        let (_, power) = lamp()
        let characteristic: HMCharacteristic = power
        try await characteristic.writeValue(true)
        #expect(power.written.count == 1)
        #expect(characteristic.value as? Bool == true)
        power.error = HMError(.accessoryNotReachable)
        await #expect(throws: HMError.self) { try await characteristic.writeValue(false) }
        #expect(characteristic.value as? Bool == true)
    }

    @Test func mocksAreFoundInSetsAsTheObjectsThatTheyAre() {
        let (first, second) = (MockAccessory(), MockAccessory())
        #expect(Set<HMAccessory>([first, second, first]).count == 2)
        #expect(first.uniqueIdentifier == first.mockedID)
    }

    @Test func whatAMockDoesNotAnswerIsThatOfNoHome() async {
        let (accessory, _) = lamp()
        #expect(accessory.room == nil)
        await #expect(throws: HMError.self) { try await accessory.updateName("Floor") }
    }
}
