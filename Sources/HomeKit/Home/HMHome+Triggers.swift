import Foundation
import HomeModel
import HubAPI

extension HMHome {
    /// The triggers, in the order in which they were added.
    /// - Since: iOS 8.0
    public var triggers: [HMTrigger] {
        homeReference.context.triggers(of: homeReference) { Array($0.triggers) }
    }

    /// Adds a trigger that the app made, with its action sets. It is disabled at first. The object stays the same.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names; the errors of the
    /// `update…` methods of ``HMTimerTrigger`` and ``HMEventTrigger`` for times, events and conditions;
    /// ``HMError/Code/objectAlreadyAssociatedToHome``, ``HMError/Code/objectAssociatedToAnotherHome`` also if an action
    /// set or a characteristic is, ``HMError/Code/operationInProgress`` if the trigger is already being added;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addTrigger(
        _ trigger: HMTrigger,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let (context, home) = (homeReference.context, homeReference)
        let parameters: InHome<AddTrigger>
        do throws(HMError) {
            parameters = try trigger.join(homeReference)
        } catch {
            return context.link.queue.async { completion(error) }
        }
        context.withObjects { $0.joiningTriggers[trigger.uniqueIdentifier] = trigger }
        context.call(HubMethods.addTrigger, parameters) { (reply: Result<AddedItem, HMError>) in
            if case .success = reply {
                // The object joins the home when it is first asked for, which may have happened already.
                _ = context.triggers(of: home) { $0.triggers[id: trigger.uniqueIdentifier].map { [$0] } ?? [] }
            }
            context.withObjects { $0.joiningTriggers[trigger.uniqueIdentifier] = nil }
            trigger.withdraw()
            completion(reply.failure)
        }
    }

    /// Adds a trigger; see the completion-handler form.
    /// - Since: iOS 8.0
    public func addTrigger(_ trigger: HMTrigger) async throws {
        try await completing { addTrigger(trigger, completionHandler: $0) }
    }

    /// Removes a trigger. Its action sets stay in the home, except those that it owns.
    ///
    /// Errors: ``HMError/Code/objectAssociatedToAnotherHome``, ``HMError/Code/objectNotAssociatedToAnyHome`` if it is in no
    /// home; ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeTrigger(
        _ trigger: HMTrigger,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.removeTrigger,
            try homeReference.target(trigger.uniqueIdentifier, trigger.target),
            completion: completion
        )
    }

    /// Removes a trigger; see the completion-handler form.
    /// - Since: iOS 8.0
    public func removeTrigger(_ trigger: HMTrigger) async throws {
        try await completing { removeTrigger(trigger, completionHandler: $0) }
    }
}
