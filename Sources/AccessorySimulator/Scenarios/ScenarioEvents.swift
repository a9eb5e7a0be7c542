internal import Synchronization

/// The events that an app has received. This is a class because connections write it and the run reads it.
final class ScenarioEvents: Sendable {
    private let events = Mutex<[ScenarioApp.Event]>([])

    var all: [ScenarioApp.Event] { events.withLock { $0 } }

    func append(_ event: ScenarioApp.Event) {
        events.withLock { $0.append(event) }
    }
}

/// The local port of an app's connection, which is known once the connection is open.
final class ScenarioPort: Sendable {
    private let value = Mutex(0)

    var number: Int {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
