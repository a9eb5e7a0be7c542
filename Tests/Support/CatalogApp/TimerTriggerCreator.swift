import HomeKit

/// Saves an automation that runs at a time of day.
class TimerTriggerCreator: TriggerCreator {
    /// How often the timer fires.
    enum Recurrence: Int {
        case none, everyHour, everyDay, everyWeek

        var components: DateComponents? {
            var components = DateComponents()
            switch self {
            case .none: return nil
            case .everyHour: components.hour = 1
            case .everyDay: components.day = 1
            case .everyWeek: components.weekOfYear = 1
            }
            return components
        }

        init(_ components: DateComponents?) {
            if components?.day == 1 {
                self = .everyDay
            } else if components?.weekOfYear == 1 {
                self = .everyWeek
            } else if components?.hour == 1 {
                self = .everyHour
            } else {
                self = .none
            }
        }
    }

    /// The date in the form's picker.
    var rawFireDate = Date()
    var selectedRecurrence: Recurrence

    private var timerTrigger: HMTimerTrigger? { trigger as? HMTimerTrigger }

    override init(trigger: HMTrigger?, home: HMHome) {
        selectedRecurrence = Recurrence((trigger as? HMTimerTrigger)?.recurrence)
        super.init(trigger: trigger, home: home)
        if let timer = timerTrigger { rawFireDate = timer.fireDate }
    }

    /// The date in the picker without its seconds. A picker that was left alone can show a minute that has passed.
    var fireDate: Date {
        let units: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute]
        let components = Calendar.current.dateComponents(units, from: rawFireDate)
        let date = Calendar.current.date(from: components) ?? rawFireDate
        return date > Date() ? date : Calendar.current.date(byAdding: .day, value: 1, to: date) ?? date
    }

    override func newTrigger() -> HMTrigger? {
        HMTimerTrigger(name: name, fireDate: fireDate, recurrence: selectedRecurrence.components)
    }

    override func updateTrigger() {
        guard let timer = timerTrigger else { return }
        if timer.fireDate != fireDate {
            saveGroup.enter()
            timer.updateFireDate(fireDate, completionHandler: finishStep)
        }
        if Recurrence(timer.recurrence) != selectedRecurrence {
            saveGroup.enter()
            timer.updateRecurrence(selectedRecurrence.components, completionHandler: finishStep)
        }
    }
}
