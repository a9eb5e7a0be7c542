import Foundation
import HomeModel

extension Date {
    /// The time in whole milliseconds, within the range that a log can store: about 35,000 years around 1970. Calendars
    /// aren't computed beyond it.
    var withinCalendar: Date { Date(milliseconds: milliseconds) }
}
