package import Foundation
import HomeModel

extension TriggerEngine {
    /// Records that a trigger's firing runs, so that its end events count from now on. A trigger that fires again while its
    /// effect lasts begins its durations again.
    package mutating func began(_ trigger: UUID, in home: UUID, at now: Date) {
        setEffect(of: TriggerKey(home: home, trigger: trigger), since: now)
    }

    /// Records that a firing wasn't carried out. A trigger that fires only once still waits.
    package mutating func ignored(_ trigger: UUID, in home: UUID, at now: Date) {
        let key = TriggerKey(home: home, trigger: trigger)
        guard triggers[key]?.isSpent == true else { return }
        triggers[key]?.isSpent = false
        schedule(key, after: time?.now ?? now)
    }

    /// Records that a trigger's effect has ended. A decision with the outcome `end` does so itself.
    package mutating func ended(_ trigger: UUID, in home: UUID) {
        setEffect(of: TriggerKey(home: home, trigger: trigger), since: nil)
    }

    /// Restores a trigger's effect from before a restart. What should have ended it meanwhile ends it at the next
    /// ``advance(to:known:)``; events other than times that happened meanwhile don't count.
    package mutating func resume(_ trigger: UUID, in home: UUID, since: Date) {
        setEffect(of: TriggerKey(home: home, trigger: trigger), since: since)
    }
}
