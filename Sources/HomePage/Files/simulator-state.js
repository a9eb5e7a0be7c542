// What a simulator has, as the records and values that the page shows.

import { receive } from "./model.js";
import { t } from "./words.js";
import { toast } from "./dom.js";
import { fail } from "./actions.js";
import { paint } from "./router.js";

const HOME = "simulator";

/** What Apple's types of services are called in the control protocol; the page knows them by their numbers. */
export const SERVICES = {
  Lightbulb: "43",
  Switch: "49",
  Outlet: "47",
  Fan: "40",
  Fanv2: "B7",
  Thermostat: "4A",
  HeaterCooler: "BC",
  HumidifierDehumidifier: "BD",
  AirPurifier: "BB",
  WindowCovering: "8C",
  Window: "8B",
  Door: "81",
  GarageDoorOpener: "41",
  LockMechanism: "45",
  SecuritySystem: "7E",
  Valve: "D0",
  IrrigationSystem: "CF",
  Faucet: "D7",
  Slats: "B9",
  Television: "D8",
  SmartSpeaker: "228",
  Speaker: "113",
  CameraRTPStreamManagement: "110",
  Doorbell: "121",
  StatelessProgrammableSwitch: "89",
  StatefulProgrammableSwitch: "88",
  TemperatureSensor: "8A",
  HumiditySensor: "82",
  LightSensor: "84",
  MotionSensor: "85",
  OccupancySensor: "86",
  ContactSensor: "80",
  LeakSensor: "83",
  SmokeSensor: "87",
  CarbonMonoxideSensor: "7F",
  CarbonDioxideSensor: "97",
  AirQualitySensor: "8D",
  WiFiRouter: "20A",
  WiFiSatellite: "20F",
  Battery: "96",
  FilterMaintenance: "BA",
  InputSource: "D9",
  AccessoryInformation: "3E",
  ProtocolInformation: "A2",
  ServiceLabel: "CC",
  LockManagement: "44",
};

const isUUID = (type) => /^[0-9A-F]{8}-/i.test(type);

/** The simulator's accessories by serial number, as it describes them. */
export const details = new Map();

/** The connection. */
export let simulator = null;
/** Whether the accessories are known. */
export let isKnown = false;

export function connect(connection) {
  simulator = connection;
}

// MARK: What the simulator has

export async function load() {
  try {
    const { accessories } = await simulator.request("accessory.list");
    const shown = await Promise.all(
      accessories.map((each) => simulator.request("accessory.show", { accessory: each.serialNumber })),
    );
    // The page may paint at any time: what it shows is replaced at once.
    details.clear();
    for (const detail of shown) details.set(detail.summary.serialNumber, detail);
    isKnown = true;
    store();
  } catch (error) {
    fail(error);
  }
  paint();
}

export async function reload(serialNumber) {
  try {
    details.set(serialNumber, await simulator.request("accessory.show", { accessory: serialNumber }));
  } catch {
    details.delete(serialNumber);
  }
  store();
  paint();
}

const idOf = (serialNumber) =>
  [...new TextEncoder().encode(serialNumber)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const detailOf = (id) => [...details.values()].find((each) => idOf(each.summary.serialNumber) === id);

/** The accessory that has the pairing: a bridge, for what is behind it. */
const serverOf = (summary) => details.get(summary.bridge)?.summary ?? summary;

/** The accessories as a home: each server is a room, so that the same tiles show them. */
function store() {
  const records = [], values = [];
  for (const { summary, services } of details.values()) {
    const id = idOf(summary.serialNumber);
    const room = idOf(serverOf(summary).serialNumber);
    if (room === id) records.push({ kind: "room", id, name: summary.name });
    records.push({ kind: "accessory", id: `a${id}`, name: summary.name, room, shape: `s${id}` });
    const iids = new Map(services.map((service) => [service.key, service.iid]));
    records.push({
      kind: "shape",
      id: `s${id}`,
      services: services.map((service) => ({
        ...service,
        type: SERVICES[service.type] ?? (isUUID(service.type) ? service.type : "-"),
        linked: service.linked.map((each) => iids.get(each) ?? each),
        reportedName: service.characteristics.find((each) => each.type === "23")?.value,
      })),
    });
    values.push({
      accessory: `a${id}`,
      values: Object.fromEntries(
        services.flatMap((service) => service.characteristics.map((each) => [each.iid, each.value ?? null])),
      ),
    });
  }
  receive("reset", {
    account: { records: [{ kind: "accountHome", id: HOME, name: t("sim.title"), isPrimary: true, order: 0 }] },
    homes: { [HOME]: { records } },
    values,
  }, simulator.position);
}

/** How the control protocol names a characteristic of the model. */
export function locate({ accessory, iid }) {
  const detail = detailOf(accessory.slice(1));
  const service = detail?.services.find((each) => each.characteristics.some((one) => one.iid === iid));
  return {
    accessory: detail?.summary.serialNumber,
    service: service?.key,
    characteristic: service?.characteristics.find((one) => one.iid === iid)?.name,
  };
}

export const EVENTS = {
  value({ serialNumber, service, characteristic, value: changed }, position) {
    const found = details.get(serialNumber)?.services.find((each) => each.key === service)?.characteristics.find((
      each,
    ) => each.name === characteristic || each.type === characteristic);
    if (!found) return;
    found.value = changed;
    receive(
      "values",
      { values: [{ accessory: `a${idOf(serialNumber)}`, values: { [found.iid]: changed ?? null } }] },
      position,
    );
  },
  identify({ accessory }) {
    toast(t("identified", { name: accessory ?? "" }), { closeLabel: t("close") });
  },
  removed({ serialNumber }) {
    details.delete(serialNumber);
    store();
    load();
  },
  edited({ serialNumber }) {
    reload(serialNumber);
  },
  pairing: () => load(),
  added: () => load(),
  missed: () => load(),
};
