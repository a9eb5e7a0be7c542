import Foundation
import HomeHub
import HomeKitTesting
import HomeModel
import HubAPI
import RawHTTP
import Testing

@testable import HubServer

/// Signing in without an account: codes, tokens, credentials and devices.
struct SignInTests {
    @Test func aCodeSignsOneDeviceIn() async throws {
        try await ServedHub.with { served in
            let code = await served.hub.createLogin().code
            let typed = "\(code.prefix(4).lowercased())-\(code.suffix(4))".replacing("0", with: "o").replacing(
                "1",
                with: "l"
            )
            let page = try await served.device("Ann's iPad", code: typed)
            #expect(page.credential == nil)
            #expect(try await page.post("/api/device.list").status == 200)
            let again = try await PageClient(port: served.port).post("/login", #"{"code":"\#(code)"}"#)
            #expect(again.status == 401 && again.code == "wrongCode")
            #expect(again.headers["www-authenticate"] == "Bearer")
        }
    }

    @Test func aCodeExpires() async throws {
        try await ServedHub.with { served in
            let code = await served.hub.createLogin().code
            try await served.hubClock.advance(by: .seconds(60), afterSleepers: 0)
            let late = try await PageClient(port: served.port).post("/login", #"{"code":"\#(code)"}"#)
            #expect(late.status == 401 && late.code == "wrongCode")
        }
    }

    @Test func afterFiveWrongCodesAnAddressMustWait() async throws {
        try await ServedHub.with { served in
            let page = PageClient(port: served.port)
            let code = await served.hub.createLogin().code
            for _ in 0..<5 {
                #expect(try await page.post("/login", #"{"code":"AAAAAAAA"}"#).status == 401)
            }
            let right = try await page.post("/login", #"{"code":"\#(code)"}"#)
            #expect(right.status == 429 && right.code == "tooManyTries")
            let data = (right.json["error"] as? [String: Any])?["data"] as? [String: Any]
            #expect(data?["retryAfter"] as? Int == 60 && right.headers["retry-after"] == "60")
            try await served.hubClock.advance(by: .seconds(60), afterSleepers: 0)
            _ = try await served.device()
        }
    }

    @Test func aCredentialIsRenewedAndItsCopyEndsTheDevice() async throws {
        try await ServedHub.with { served in
            let page = try await served.device(staysSignedIn: true)
            let first = try #require(page.credential)
            func renew(_ credential: String) async throws -> HTTPConnection.Response {
                try await page.post("/renew", #"{"credential":"\#(credential)"}"#)
            }
            let second = try #require(try await renew(first).json["credential"] as? String)
            #expect(second != first)
            // The reply was lost, or another page of the device asked too.
            #expect(try await renew(first).json["credential"] as? String == second)
            let third = try #require(try await renew(second).json["credential"] as? String)
            #expect(try await renew(third + "x").code == "signedOut")
            #expect(try await page.post("/api/device.list").status == 200)
            #expect(try await renew(first).status == 401)
            #expect(try await renew(third).status == 401)
            #expect(try await page.post("/api/device.list").status == 401)
        }
    }

    @Test func theCredentialBeforeIsAcceptedForAMinute() async throws {
        try await ServedHub.with { served in
            let page = try await served.device(staysSignedIn: true)
            let body = #"{"credential":"\#(page.credential ?? "")"}"#
            #expect(try await page.post("/renew", body).status == 200)
            try await served.hubClock.advance(by: .seconds(59), afterSleepers: 0)
            #expect(try await page.post("/renew", body).status == 200)
            try await served.hubClock.advance(by: .seconds(1), afterSleepers: 0)
            #expect(try await page.post("/renew", body).status == 401)
            #expect(try await page.post("/api/device.list").status == 401)
        }
    }

    @Test func aTokenEndsAfterTwelveHoursWithItsStream() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let stream = try await page.stream()
            _ = try await stream.next("reset")
            try await served.hubClock.advance(by: DeviceLimits.tokenLifetime, afterSleepers: 0)
            #expect(try await page.post("/api/device.list").code == "signedOut")
            try await served.streamClock.advance(by: HTTPLimits().heartbeat)
            #expect(try await stream.next("ended").json["code"] as? String == "signedOut")
        }
    }

    @Test func aRemovedDeviceIsDisconnectedAtOnce() async throws {
        try await ServedHub.with { served in
            let page = try await served.device("Tablet", staysSignedIn: true)
            let stream = try await page.stream()
            let owner = try await served.owner()
            let list = try await owner.call(HubMethods.devices, Empty()).devices
            #expect(list.map(\.name) == ["Tablet"])
            #expect(list.first?.isConnected == true && list.first?.staysSignedIn == true)
            _ = try await owner.call(HubMethods.removeDevice, RemoveDevice(id: try #require(list.first?.id)))
            #expect(try await stream.next("ended").json["code"] as? String == "signedOut")
            #expect(try await stream.next() == nil)
            #expect(try await page.post("/api/device.list").status == 401)
            let renewal = try await page.post("/renew", #"{"credential":"\#(page.credential ?? "")"}"#)
            #expect(renewal.status == 401)
            #expect(try await owner.call(HubMethods.devices, Empty()).devices.isEmpty)
            owner.close()
        }
    }

    @Test func aSignedOutPageIsForgotten() async throws {
        try await ServedHub.with { served in
            let page = try await served.device(staysSignedIn: true)
            #expect(try await page.post("/logout").status == 200)
            #expect(try await page.post("/api/device.list").status == 401)
            #expect(try await page.post("/logout").status == 401)
        }
    }

    @Test func aGuestCanOnlyDoWhatGuestsMay() async throws {
        try await ServedHub.with { served in
            let owner = try await served.owner()
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let guest = try await owner.call(
                HubMethods.addUser,
                AddHomeUser(home: home, name: "Guest", role: .guest)
            )
            let code = try await owner.call(
                HubMethods.createLogin,
                CreateLogin(user: ItemTarget(home: home, id: guest.id))
            )
            let page = try await served.device(code: code.code)
            let stream = try await page.stream()
            let homes = try await stream.next("reset").json["homes"] as? [String: [String: Any]] ?? [:]
            #expect(homes.count == 1)
            let records = homes[home.uuidString]?["records"] as? [[String: Any]] ?? []
            let ownerID = try #require(records.first { $0["role"] as? String == "owner" }?["id"] as? String)
            let forged = [
                ("room.add", #"{"home":"\#(home)","name":"Hall"}"#),
                ("user.add", #"{"home":"\#(home)","name":"Eve","role":"administrator"}"#),
                ("home.remove", #"{"home":"\#(home)"}"#),
                ("app.openSocket", #"{"id":"com.example.x","socket":{"path":"/tmp/hearth-forged","mode":432}}"#),
                ("clock.advance", #"{"milliseconds":1000}"#),
                ("backup.make", #"{"passphrase":"correct horse battery staple"}"#),
                ("login.create", #"{"user":{"home":"\#(home)","id":"\#(ownerID)"}}"#),
            ]
            for (method, body) in forged {
                let response = try await page.post("/api/\(method)", body, stream.header)
                #expect(response.status == 403 && response.code == "insufficientPrivileges", "\(method)")
            }
            let list = try await page.post("/api/device.list", "{}", stream.header)
            #expect(((list.json["result"] as? [String: Any])?["devices"] as? [Any])?.count == 1)
            owner.close()
        }
    }

    @Test func devicesThatStaySignedInAreLimited() async throws {
        try await ServedHub.with { served in
            for _ in 0..<DeviceLimits.devicesPerUser { _ = try await served.device(staysSignedIn: true) }
            let code = await served.hub.createLogin().code
            let excess = try await PageClient(port: served.port).post(
                "/login",
                #"{"code":"\#(code)","staySignedIn":true}"#
            )
            #expect(excess.status == 422 && excess.code == "limitExceeded")
        }
    }
}
