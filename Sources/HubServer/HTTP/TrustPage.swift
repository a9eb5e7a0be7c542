import TLS

/// The page that says how to install the certificate of the hub's own authority.
struct TrustPage {
    private struct System {
        var name: String
        var steps: [String]
    }

    /// The steps on each system. Names of buttons are in quotation marks.
    private static let systems = [
        System(
            name: "iPhone and iPad",
            steps: [
                "Open this page in Safari, tap “Download the certificate” and allow the download.",
                "Open Settings, tap “Profile Downloaded”, then “Install”.",
                "In Settings, open General › About › Certificate Trust Settings, and turn on the certificate.",
            ]
        ),
        System(
            name: "Android",
            steps: [
                "Tap “Download the certificate”.",
                "Open Settings, and search for “CA certificate”. It is under Security › Encryption & credentials › "
                    + "Install a certificate.",
                "Tap “CA certificate” › “Install anyway”, and choose hearth.crt.",
            ]
        ),
        System(
            name: "Mac",
            steps: [
                "Download the certificate, and open it. Keychain Access adds it to your login keychain.",
                "In Keychain Access, open the certificate, and under Trust choose “Always Trust”.",
            ]
        ),
        System(
            name: "Windows",
            steps: [
                "Download the certificate, open it, and click “Install Certificate…”.",
                "Choose “Current User”, then “Place all certificates in the following store”, then “Trusted Root "
                    + "Certification Authorities”.",
            ]
        ),
        System(
            name: "Linux",
            steps: [
                "Download the certificate.",
                "In Chromium or Chrome, open Settings › Privacy and security › Security › Manage certificates, and import "
                    + "it as a trusted certificate.",
                "For other programs: sudo cp hearth.crt /usr/local/share/ca-certificates/ && sudo update-ca-certificates. "
                    + "This needs the certificate in PEM's format: openssl x509 -inform der -in hearth.crt -out hearth.pem",
            ]
        ),
        System(
            name: "Firefox",
            steps: [
                "Download the certificate.",
                "Open Settings › Privacy & Security › View Certificates › Authorities › Import, choose hearth.crt, and "
                    + "trust it to identify websites.",
            ]
        ),
    ]

    /// The page.
    let html: String

    /// - Parameters:
    ///   - authority: The certificate of the authority.
    ///   - certificate: The path of the certificate.
    ///   - style: The path of the style, if there is one.
    init(_ authority: Certificate, certificate: String, style: String?) {
        let style = style.map { #"<link rel="stylesheet" href="\#($0)">"# } ?? ""
        let systems = Self.systems.map { system in
            let steps = system.steps.map { "<li>\($0.escapedForHTML)</li>" }.joined()
            return "<section><h2>\(system.name.escapedForHTML)</h2><ol>\(steps)</ol></section>"
        }
        html = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Trust this home</title>
            \(style)
            </head>
            <body>
            <main>
            <h1>Trust this home</h1>
            <p>Your hub encrypts what it and your devices say to each other. A device can't know whether it really talks to
            your hub until you give it the hub's certificate. You do this once on each device.</p>
            <p>The certificate only works for addresses of private networks, such as your home's. It can't be used to pose as
            other websites.</p>
            <h2>1. Compare</h2>
            <p>Run <code>hearth login</code> on the hub's machine. If the fingerprint that it prints differs from this one,
            don't go on: somebody else has answered in your hub's place.</p>
            <dl class="fingerprint"><dt>\(authority.commonName.escapedForHTML)</dt>
            <dd><code>\(authority.fingerprintText)</code></dd></dl>
            <h2>2. Download</h2>
            <p><a class="button" href="\(certificate)" download="hearth.crt">Download the certificate</a></p>
            <h2>3. Install</h2>
            \(systems.joined(separator: "\n"))
            <h2>4. Done</h2>
            <p><a class="button" href="/">Open the home</a></p>
            </main>
            </body>
            </html>

            """
    }
}

extension String {
    /// The text with the characters that HTML uses itself as character references.
    fileprivate var escapedForHTML: String {
        var text = ""
        for character in self {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.append(character)
            }
        }
        return text
    }
}
