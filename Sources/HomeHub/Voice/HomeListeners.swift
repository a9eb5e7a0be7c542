import Foundation
import HomeModel
import Synchronization
import Voice

/// The listeners of homes whose names haven't changed since somebody spoke: indexing names takes longer than a sentence.
final class HomeListeners: Sendable {
    // This is a class because all sentences share the listeners.

    private struct Key: Hashable {
        var home: UUID
        var language: String
    }

    /// The number of listeners that are kept.
    private static let limit = 16

    private let listeners = Mutex<[(key: Key, listener: HomeListener)]>([])

    /// Returns a listener with a home's present names and values.
    func listener(for spoken: SpokenHome, of home: Home, _ language: Language) -> HomeListener {
        let key = Key(home: home.id, language: language.code)
        let known = listeners.withLock { $0.first { $0.key == key }?.listener }
        let listener = known?.updated(to: spoken) ?? HomeListener(home: spoken, language: language)
        listeners.withLock { listeners in
            listeners.removeAll { $0.key == key }
            listeners.append((key, listener))
            if listeners.count > Self.limit { listeners.removeFirst() }
        }
        return listener
    }
}
