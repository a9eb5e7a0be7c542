import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Synchronization
import Voice

/// What is kept between sentences: the homes as sentences see them, until they change, and the listeners of homes whose
/// names haven't changed. Creating either takes longer than a sentence.
final class HomeListeners: Sendable {
    // This is a class because all sentences share the listeners.

    private struct Key: Hashable {
        var home: UUID
        var language: String
    }

    private struct Entry {
        var key: Key
        /// The layout of the home whose names the listener has.
        var layout: UUID
        var listener: HomeListener
    }

    private struct State {
        var homes: [(id: UUID, name: String, cursor: LogCursor, heard: HeardHome)] = []
        var listeners: [Entry] = []
    }

    /// The number of homes, and of listeners, that are kept.
    private static let limit = 16

    private let state = Mutex(State())

    /// Returns a home as sentences see it, with its present values.
    ///
    /// - Parameters:
    ///   - cursor: The position of the home's last change.
    ///   - name: The speaker's name for it.
    ///   - value: A closure that returns a characteristic's known value.
    func heard(
        _ home: Home,
        at cursor: LogCursor,
        named name: String,
        value: (CharacteristicReference) -> CharacteristicValue?
    ) -> HeardHome {
        let known = state.withLock { state -> HeardHome? in
            let index = state.homes.firstIndex { $0.id == home.id && $0.name == name && $0.cursor == cursor }
            // What is taken out has one owner, so its values change in place.
            return index.map { state.homes.remove(at: $0).heard }
        }
        var heard = known ?? HeardHome(home, named: name)
        heard.update(value)
        state.withLock { state in
            state.homes.removeAll { $0.id == home.id && $0.name == name }
            state.homes.append((home.id, name, cursor, heard))
            if state.homes.count > Self.limit { state.homes.removeFirst() }
        }
        return heard
    }

    /// Returns a listener with a home's present names and values.
    func listener(for heard: HeardHome, of home: UUID, _ language: Language) -> HomeListener {
        let key = Key(home: home, language: language.code)
        let known = state.withLock { $0.listeners.first { $0.key == key } }
        let listener: HomeListener
        if let known, known.layout == heard.layout {
            listener = known.listener.replacingValues(by: heard.spoken)
        } else {
            listener = known?.listener.updated(to: heard.spoken) ?? HomeListener(home: heard.spoken, language: language)
        }
        state.withLock { state in
            state.listeners.removeAll { $0.key == key }
            state.listeners.append(Entry(key: key, layout: heard.layout, listener: listener))
            if state.listeners.count > Self.limit { state.listeners.removeFirst() }
        }
        return listener
    }
}
