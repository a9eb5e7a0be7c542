import Foundation
import HomeIdentity
import HubAPI

/// What one of two hubs tells the other of its open questions, as a line of JSON.
enum QuestionNews: Hashable, Sendable {
    /// The hub asks a question, or an open one has changed.
    case asked(Question, QuestionDraft.Audience)
    /// A question isn't open any more.
    case closed(UUID)

    private struct Line: Codable {
        var asked: Question?
        var home: UUID?
        var user: UUID?
        var closed: UUID?
    }

    /// Reads a line. Returns `nil` if it isn't one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= QuestionSharing.newsBytes, let line = LineJSON.decode(Line.self, from: bytes) else {
            return nil
        }
        if let closed = line.closed {
            self = .closed(closed)
        } else if let question = line.asked, let home = line.home {
            self = .asked(question, .editors(of: home))
        } else if let question = line.asked, let user = line.user {
            self = .asked(question, .person(user))
        } else {
            return nil
        }
    }

    /// The line; `nil` if it would be too long, so that only this hub's clients can answer.
    var bytes: [UInt8]? {
        var line = Line()
        switch self {
        case .closed(let id): line.closed = id
        case .asked(let question, let audience):
            line.asked = question
            switch audience {
            case .editors(let home): line.home = home
            case .person(let user): line.user = user
            }
        }
        let bytes = LineJSON.encode(line)
        return bytes.count <= QuestionSharing.newsBytes ? bytes : nil
    }
}
