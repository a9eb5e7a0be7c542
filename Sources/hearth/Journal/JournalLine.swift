import Foundation
import HomeModel
import HomeText
import HubAPI

/// Journal entries as lines for people: the time, what happened, and who or what did it.
struct JournalLine {
    let sentences: JournalSentence
    let time: HubTime
    /// The home, for the names of causes whose entries aren't at hand.
    let home: Home?

    /// Returns the line of an entry.
    ///
    /// - Parameter others: Entries by ID, in which the entry's cause may be.
    func text(_ entry: JournalEntry, among others: [UUID: JournalEntry] = [:]) -> String {
        let cause = entry.parent.flatMap { others[$0] }
        let source = sentences.source(entry, causedBy: cause) ?? entry.cause.subject.flatMap(name)
        let line = "\(time.text(entry.time, withSeconds: true))  \(sentences.line(entry))"
        return source.map { "\(line) (\($0))" } ?? line
    }

    /// Returns the name of the scene or the automation that an entry's cause names, unless the entry is about it.
    private func name(_ subject: UUID) -> String? {
        guard let name = home?.triggers[id: subject]?.name ?? home?.actionSet(subject)?.name, !name.isEmpty else {
            return nil
        }
        return "“\(name)”"
    }
}
