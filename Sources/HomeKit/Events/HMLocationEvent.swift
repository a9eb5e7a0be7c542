public import CoreLocation
public import Foundation
import HomeModel
import Synchronization

/// The current user's arrival in or departure from a region.
///
/// The region must be a `CLCircularRegion`. Its `notifyOnEntry` and `notifyOnExit` say what counts.
/// - Since: iOS 9.0
public class HMLocationEvent: HMEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked because the superclass is.

    fileprivate enum Content {
        case region(CLRegion)
        case hidden(HiddenLocation)

        /// Keeps a region as it is now, because apps can change it.
        init(_ region: CLRegion) {
            self = .region(region.copy() as? CLRegion ?? region)
        }
    }

    fileprivate let content: Mutex<Content>

    /// Creates an event.
    /// - Since: iOS 9.0
    public init(region: CLRegion) {
        content = Mutex(Content(region))
        super.init(UUID())
    }

    init(_ id: UUID, _ region: LocationRegion) {
        content = Mutex(.region(region.circle))
        super.init(id)
    }

    init(_ id: UUID, _ location: HiddenLocation) {
        content = Mutex(.hidden(location))
        super.init(id)
    }

    fileprivate init(_ id: UUID, _ content: Content) {
        self.content = Mutex(content)
        super.init(id)
    }

    /// The region. It is `nil` if the event is about another user, whose locations apps don't see.
    /// - Since: iOS 9.0
    public var region: CLRegion? {
        guard case .region(let region) = content.withLock({ $0 }) else { return nil }
        return region
    }

    /// Changes the region, also in the event's trigger if that is in a home.
    ///
    /// Errors: ``HMError/Code/invalidClass`` if the region isn't a `CLCircularRegion`,
    /// ``HMError/Code/invalidParameter`` if it isn't a place on the Earth or neither arrival nor departure counts;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 9.0
    @available(*, deprecated, message: "Use HMEventTrigger.updateEvents(_:completionHandler:).")
    @preconcurrency
    public func updateRegion(
        _ region: CLRegion,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let new = Content(region)
        change { _ throws(HMError) in
            try new.occurrence
        } apply: { [self] in
            content.withLock { $0 = new }
        } completion: {
            completion($0)
        }
    }

    /// Changes the region; see the completion-handler form.
    /// - Since: iOS 9.0
    @available(*, deprecated, message: "Use HMEventTrigger.updateEvents(_:).")
    public func updateRegion(_ region: CLRegion) async throws {
        try await completing { updateRegion(region, completionHandler: $0) }
    }

    /// Returns an event that can't be changed: the event itself, or a copy of one that can be.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns an ``HMMutableLocationEvent`` with the same region.
    public func mutableCopy(with zone: NSZone? = nil) -> Any { HMMutableLocationEvent(copying: self) }

    override func occurrence(in home: HomeReference) throws(HMError) -> TriggerEvent.Occurrence {
        try content.withLock { $0 }.occurrence
    }
}

extension HMLocationEvent.Content {
    fileprivate var occurrence: TriggerEvent.Occurrence {
        get throws(HMError) {
            switch self {
            case .hidden(let location): return .hiddenLocation(location)
            case .region(let region):
                guard let circle = region as? CLCircularRegion else {
                    throw HMError(.invalidClass, reason: "A \(type(of: region)) is not a circular region.")
                }
                return .location(LocationRegion(circle))
            }
        }
    }
}

/// An ``HMLocationEvent`` that can be changed. A trigger takes the event as it is when it is passed to it.
/// - Since: iOS 11.0
public final class HMMutableLocationEvent: HMLocationEvent, @unchecked Sendable {
    // @unchecked because the superclass is.

    /// Creates an event.
    /// - Since: iOS 11.0
    public override init(region: CLRegion) {
        super.init(region: region)
    }

    fileprivate init(copying event: HMLocationEvent) {
        super.init(UUID(), event.content.withLock { $0 })
    }

    /// The region. Setting it to `nil` has no effect.
    /// - Since: iOS 11.0
    public override var region: CLRegion? {
        get { super.region }
        set {
            guard let newValue else { return }
            content.withLock { $0 = Content(newValue) }
        }
    }

    /// Returns a copy that can't be changed.
    public override func copy(with zone: NSZone? = nil) -> Any {
        HMLocationEvent(UUID(), content.withLock { $0 })
    }

    override var shown: HMEvent { HMLocationEvent(uniqueIdentifier, content.withLock { $0 }) }
}

extension LocationRegion {
    /// Creates the region of a request. The hub adds the user.
    fileprivate init(_ circle: CLCircularRegion) {
        self.init(
            identifier: circle.identifier,
            latitude: circle.center.latitude,
            longitude: circle.center.longitude,
            radius: circle.radius,
            onEntry: circle.notifyOnEntry,
            onExit: circle.notifyOnExit
        )
    }

    /// The region as apps see it.
    fileprivate var circle: CLRegion {
        let center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        let region = CLCircularRegion(center: center, radius: radius, identifier: identifier)
        (region.notifyOnEntry, region.notifyOnExit) = (onEntry, onExit)
        return region
    }
}
