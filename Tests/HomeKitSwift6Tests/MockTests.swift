import HomeKit
import Synchronization
import Testing

// Mocks of HomeKit objects as in apps' tests, in Swift 6 mode. The code must compile unchanged.

final class MockCharacteristic: HMCharacteristic, @unchecked Sendable {
    private let stored = Mutex<Int?>(nil)

    override var characteristicType: String { HMCharacteristicTypeBrightness }
    override var value: Any? { stored.withLock(\.self) }
    override var isNotificationEnabled: Bool { true }

    override func writeValue(
        _ value: Any?,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let number = value as? Int
        stored.withLock { $0 = number }
        completion(number == nil ? HMError(.invalidValueType) : nil)
    }

    override func enableNotification(_ enable: Bool) async throws {
        throw HMError(.notificationNotSupported)
    }
}

final class MockService: HMService, @unchecked Sendable {
    private let mocked: [HMCharacteristic]

    init(_ characteristics: [HMCharacteristic]) {
        mocked = characteristics
        super.init()
    }

    override var characteristics: [HMCharacteristic] { mocked }
}

final class MockAccessory: HMAccessory, @unchecked Sendable {
    private let mocked: [HMService]
    private let id = UUID()

    init(_ services: [HMService]) {
        mocked = services
        super.init()
    }

    override var uniqueIdentifier: UUID { id }
    override var name: String { "Desk" }
    override var services: [HMService] { mocked }
}

final class MockAction: HMAction, @unchecked Sendable {}

/// A placeholder, until the app knows more.
@MainActor
final class AccessoryModel {
    var accessory = HMAccessory()

    func dim(to value: Int) async throws {
        for characteristic in accessory.services.flatMap(\.characteristics) {
            try await characteristic.writeValue(value)
        }
    }
}

@Suite struct MockTests {
    @Test @MainActor func anAppsCodeUsesWhatAMockAnswers() async throws {
        let brightness = MockCharacteristic()
        let model = AccessoryModel()
        try await model.dim(to: 10)
        #expect(brightness.value as? Int == nil)
        model.accessory = MockAccessory([MockService([brightness])])
        try await model.dim(to: 30)
        #expect(brightness.value as? Int == 30)
        #expect(model.accessory.name == "Desk")
    }

    @Test func mocksGoFromTaskToTask() async {
        let accessory: HMAccessory = MockAccessory([])
        let id = await Task.detached { accessory.uniqueIdentifier }.value
        #expect(id == accessory.uniqueIdentifier)
        #expect(MockAction().uniqueIdentifier != MockAction().uniqueIdentifier)
    }

    @Test func anOverriddenAsyncFormIsCalled() async {
        let characteristic: HMCharacteristic = MockCharacteristic()
        let error = await #expect(throws: HMError.self) { try await characteristic.enableNotification(true) }
        #expect(error?.code == .notificationNotSupported)
    }
}
