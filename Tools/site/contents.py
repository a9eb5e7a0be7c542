"""What the site contains, in the order of its menu. Every page of Documentation must be listed."""

#: The sections of the menu: a title, and for each page its file and its name in the menu, or only its file if the name is the title.
SECTIONS = [
    (
        "Start",
        [
            ("README.md", "Hearth"),
            ("Documentation/Installing.md", None),
            ("Documentation/Troubleshooting.md", None),
        ],
    ),
    (
        "Use a home",
        [
            ("Documentation/HomePage.md", "The page"),
            ("Documentation/People.md", None),
            ("Documentation/Automations.md", None),
            ("Documentation/Voice.md", None),
            ("Documentation/Assistants.md", "AI assistants"),
            ("Documentation/Journal.md", None),
            ("Documentation/Onboarding.md", None),
            ("Documentation/HomeAssistant.md", "Home Assistant"),
            ("Documentation/AirPlay.md", None),
            ("Documentation/AirPlayApps.md", "AirPlay in apps"),
        ],
    ),
    (
        "Run a hub",
        [
            ("Documentation/Apps.md", None),
            ("Documentation/Backups.md", None),
            ("Documentation/DuplicateHubs.md", None),
            ("Documentation/ExportAndImport.md", "Export and import"),
            ("Documentation/Monitoring.md", None),
            ("Documentation/Relay.md", None),
        ],
    ),
    (
        "Test an app",
        [
            ("Documentation/Testing.md", None),
            ("Examples/GarageDoor/README.md", "GarageDoor example"),
            ("Documentation/Simulator.md", None),
            ("Documentation/AccessoryFiles.md", "Accessory files"),
            ("Documentation/Faults.md", None),
            ("Documentation/Scenarios.md", None),
        ],
    ),
    (
        "Check HAP software",
        [
            ("Documentation/Checks.md", None),
            ("Documentation/ControllerChecks.md", None),
            ("Documentation/CheckingInCI.md", "Checking in CI"),
        ],
    ),
    (
        "Reference",
        [
            ("commands", "Commands"),
            ("libraries", "Libraries"),
            ("Documentation/HTTP.md", "HTTP"),
            ("Documentation/HubProtocol.md", "Hub protocol"),
            ("Documentation/Sync.md", None),
            ("Documentation/TwoHubs.md", "Two hubs"),
            ("Documentation/Limits.md", None),
            ("Documentation/DNSSD.md", "DNS-SD"),
            ("CONTRIBUTING.md", "Contributing"),
        ],
    ),
]

#: The modules of the libraries, in the order of their list.
MODULES = ["HomeKit", "HomeKitTesting", "CoreLocation", "ExternalAccessory", "AVFoundation", "AVKit", "MediaPlayer", "CoreMedia", "HAP",
           "HAPCatalog", "DNSSD"]
