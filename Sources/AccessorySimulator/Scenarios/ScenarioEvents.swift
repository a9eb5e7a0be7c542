internal import Synchronization

/// The events that an app has heard. A class, as its connections write what the run reads.
final class ScenarioEvents: Sendable {
    private let events = Mutex<[ScenarioApp.Event]>([])

    var all: [ScenarioApp.Event] { events.withLock { $0 } }

    func append(_ event: ScenarioApp.Event) {
        events.withLock { $0.append(event) }
    }
}

/// The port at an app's end of a connection, known once it stands.
final class ScenarioPort: Sendable {
    private let value = Mutex(0)

    var number: Int {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
