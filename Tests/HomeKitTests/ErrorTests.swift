import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

@Suite struct ErrorTests {
    /// All codes; Apple's type isn't CaseIterable.
    fileprivate static let codes = (-1...200).compactMap(HMError.Code.init(rawValue:))

    @Test(arguments: Self.codes)
    func everyCodeHasWordsForPeopleAndItsNumberAsNSError(_ code: HMError.Code) {
        let error: any Error = HMError(code)
        let text = error.localizedDescription
        #expect(text.hasSuffix("."))
        #expect(text.count > 8)
        #expect(!text.contains("HMError"))
        let bridged = error as NSError
        #expect(bridged.domain == HMErrorDomain)
        #expect(bridged.domain == HMError.errorDomain)
        #expect(bridged.code == code.rawValue)
        #expect(bridged.localizedDescription == text)
    }

    @Test func theCodesHaveApplesNumbers() {
        #expect(Self.codes.count == 105)
        #expect(HMError.unexpectedError.rawValue == -1)
        #expect(HMError.accessoryNotReachable.rawValue == 4)
        #expect(HMError.insufficientPrivileges.rawValue == 17)
        #expect(HMError.Code(rawValue: 94) == nil)
        #expect(HMError.objectWithSimilarNameExists.rawValue == 95)
        #expect(HMError.homeUpgradeRequired.rawValue == 105)
    }

    @Test func codesMatchInCatchAndSwitch() {
        func thrown(_ error: any Error) -> String {
            do {
                throw error
            } catch HMError.accessDenied {
                return "denied"
            } catch let error as HMError where error.code == .notFound {
                return "not found"
            } catch {
                return "other"
            }
        }
        #expect(thrown(HMError(.accessDenied)) == "denied")
        #expect(thrown(NSError(domain: HMErrorDomain, code: 10)) == "denied")
        #expect(thrown(HMError(.notFound)) == "not found")
        #expect(thrown(NSError(domain: "Other", code: 10)) == "other")
    }

    @Test func errorsCompareByCodeAndWhatTheyKnow() {
        #expect(HMError(.notFound) == HMError(.notFound))
        #expect(HMError(.notFound) != HMError(.accessDenied))
        #expect(HMError(.notFound, userInfo: ["a": 1]) == HMError(.notFound, userInfo: ["a": 1]))
        #expect(HMError(.notFound, userInfo: ["a": 1]) != HMError(.notFound, userInfo: ["a": 2]))
        #expect(Set([HMError(.notFound), HMError(.notFound)]).count == 1)
        let error = HMError(_nsError: NSError(domain: HMErrorDomain, code: 4, userInfo: ["a": "b"]))
        #expect(error.code == .accessoryNotReachable)
        #expect(error.userInfo["a"] as? String == "b")
        #expect(HMError(_nsError: NSError(domain: "Other", code: 4)).code == .unexpectedError)
        let described = HMError(.notFound, userInfo: [NSLocalizedDescriptionKey: "No lamp."])
        #expect(described.localizedDescription == "No lamp.")
        #expect((described as any Error).localizedDescription == "No lamp.")
        #expect((described as NSError).localizedDescription == "No lamp.")
    }

    @Test func anAppMayAddItsOwnWords() {
        // An existing conformance would take precedence over the app's.
        let error: Any = HMError(.notFound)
        #expect(!(error is any LocalizedError))
        #expect(!(error is any CustomStringConvertible))
        #expect(!(HMError.Code.notFound as Any is any CustomStringConvertible))
    }

    @Test func theHubsReasonIsKept() {
        let error = HMError(HubError(.wrongSetupCode, "The lamp refused the code."))
        #expect(error.code == .accessoryPairingFailed)
        #expect(error.userInfo[NSLocalizedFailureReasonErrorKey] as? String == "The lamp refused the code.")
        #expect((error as NSError).localizedFailureReason == "The lamp refused the code.")
        #expect(HMError.Code(HubError.Code(rawValue: "ofTheFuture")) == .unexpectedError)
    }

    @Test func anAccessorysTroubleComesWithItsCauseAndWhatToDo() {
        let error = HMError(HubError(.notReachable, .refused)) as NSError
        #expect(error.code == HMError.Code.accessoryNotReachable.rawValue)
        #expect(error.localizedFailureReason == "Nothing listens at the accessory's address.")
        #expect(error.localizedRecoverySuggestion == "If it isn't starting up, restart it.")
        #expect(error.userInfo["HearthAccessoryTrouble"] as? String == "refused")
        // A newer hub can report unknown causes.
        let unknown = HubError(.notReachable, "It is on Mars. Fetch it.", trouble: .init(rawValue: "onMars"))
        let strange = HMError(unknown) as NSError
        #expect(strange.localizedFailureReason == "It is on Mars. Fetch it.")
        #expect(strange.localizedRecoverySuggestion == nil)
    }
}
