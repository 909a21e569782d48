"""Questions in closed lists: those that only a place settles, and those that no project answers. Data.

Words between asterisks are what a probe is about. A project that holds all of them may be able to answer it, so that the
probe says nothing there and is not asked (cases.py): a recipe collection is not asked about sourdough, nor a Kafka
client about Kafka.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Probe:
    """A question that should not be answered, and what it is about."""

    text: str
    subject: tuple[str, ...]  # lowercase words


POINTING = (
    "how do I get this project running on my machine?",
    "what are the main parts of this repository?",
    "how do I add a dependency here?",
    "where does this app keep its settings?",
    "how are the tests organised in this codebase?",
    "what did we work on here lately?",
    "who looks after this package?",
    "what is this tool for?",
)

DAILY = """
how long should dried *chickpeas* be *soaked* before cooking?
what is the best way to *descale* a *kettle*?
how do I get *chewing* gum off a *carpet*?
when should *tomatoes* be planted out in the *garden*?
how do I sharpen a *kitchen* *knife* on a *whetstone*?
how many *grams* of *butter* go into a pound cake?
how do I stop a *tap* from *dripping*?
what should I wear to a summer *wedding* in the *countryside*?
how long does a *passport* *renewal* take in autumn?
which *bus* goes from the *airport* to the old town on Sundays?
how do I teach a *puppy* to walk on a *leash*?
what helps against *mosquito* *bites* on children?
how much *rent* *deposit* may a landlord ask for?
how do I *iron* a silk *blouse* without marks?
which *wine* goes with roast *duck* and red cabbage?
how do I fold a fitted *bedsheet* *neatly*?
what are good *stretches* for a stiff *neck* after a long *flight*?
how do I remove *limescale* from a *shower* head?
how often should a car's *brake* *fluid* be changed?
when do *swallows* fly *south*?
how do I repair a *bicycle* *puncture* on the road?
what is a fair *price* for a used *piano*?
how long may *leftover* *rice* be kept in the fridge?
how do I make a *paper* *boat* that floats?
which *plants* survive in a dark *bathroom*?
how do I keep *basil* alive on a *windowsill*?
what is the capital of *Mongolia* and how cold are its *winters*?
who painted the *ceiling* of the *Sistine* Chapel?
how tall is the highest *waterfall* in *Venezuela*?
in which year did the *Titanic* *sink*?
how do I *bleed* the *brakes* of an old *motorcycle*?
what do *hedgehogs* eat in *spring*?
how do I dry *mushrooms* in an *oven*?
what can I do when my *toddler* refuses *vegetables*?
how are *bagels* *boiled* before baking?
which *vitamins* does boiled *spinach* keep?
how do I choose the right *mattress* for *back* pain?
how do I *wallpaper* around a *window* frame?
how long does *plaster* need to *dry* before painting?
what is the *offside* rule in *football*?
how do *tides* depend on the *moon*?
how do I learn to *juggle* three *balls*?
how much *sleep* does a *teenager* need?
which *muscles* does *swimming* train?
can I *freeze* fresh *ravioli*?
what is a good *present* for a *grandmother* who likes gardening?
how do I write a *condolence* *letter* to a neighbour?
how should *orchids* be *watered* in winter?
when is the best *season* to hike in the *Dolomites*?
how do I find a *dentist* who is open on a *holiday*?
what does it cost to *insure* a small *sailing* boat?
how many *stitches* do I cast on for a baby *sock*?
how do I tell a *ripe* *melon* by its sound?
what is the *recipe* for my aunt's *plum* cake?
how do I get rid of *ants* in the *pantry*?
which *gate* does the night *train* to *Vienna* leave from?
how do I *tie* a *bow* around a gift box?
how many *players* are on a *volleyball* team?
what should be in a *first* *aid* kit for *hiking*?
how do I clean *suede* *shoes* after rain?
what is the *blood* *pressure* of a healthy adult?
how do I prune an *apple* *tree* that was *neglected* for years?
how is *parmesan* *aged* in the mountains?
which *clouds* announce a *thunderstorm*?
"""

TECHNOLOGY = """
how do I mount a volume in the *Podman* quadlet for the mail server?
where is the *Terraform* module that creates the database subnet?
which *Ansible* playbook rotates the certificates of the load balancer?
how do I write a *SwiftData* migration for the reading list?
how is the *Godot* scene tree saved between levels?
where do we register the *Unreal* gameplay ability for jumping?
how do I add a trigger to the *Salesforce* opportunity object?
which *COBOL* copybook defines the customer record?
how do I deploy the *Airflow* DAG for the nightly import?
where is the *dbt* model that joins orders and refunds?
how do I partition the *BigQuery* table by day?
which *Redshift* cluster holds the marketing events?
how do I tune the shards of the *Elasticsearch* index for products?
where is the *Grafana* panel for queue latency defined?
how do I scrape the exporter with *VictoriaMetrics*?
which *Datadog* monitor pages the on-call person at night?
how do I configure sampling in *Honeycomb* for the checkout?
where does the *Spark* job repartition the click stream?
how do I write a window function in *Flink* for late events?
which *Pulsar* topic carries the shipment updates?
how is the *RabbitMQ* exchange for invoices declared?
where are the *Cassandra* compaction settings for the ledger?
how do I add a secondary index in *DynamoDB* for email?
which *Neo4j* query finds the shortest path between suppliers?
how do I shard the *MongoDB* collection of sensor readings?
where is the *Oracle* PL/SQL package for payroll?
how do I write a stored procedure in *Firebird* for stock?
which *Informix* table keeps the bookings of the branch?
how do I call the *SAP* BAPI that posts a goods receipt?
where is the *NetSuite* script that syncs the vendors?
how do I extend the *Magento* checkout with a gift option?
which *Shopify* webhook tells us of a cancelled order?
how do I theme the *Drupal* view for the press page?
where is the *WordPress* hook that resizes uploads?
how do I localise the *Contentful* entries for the blog?
which *Strapi* lifecycle hook validates the slug?
how do I render a mesh with *Babylon* in the viewer?
where is the *Vulkan* pipeline barrier for the shadow pass?
how do I write a compute kernel in *CUDA* for the blur?
which *OpenCL* device does the renderer pick?
how do I quantise the *TensorFlow* model for the phone?
where is the *JAX* function that is compiled for the accelerator?
how do I log a run to *MLflow* with its parameters?
which *LangChain* agent answers the support mails?
how do I build the *Yocto* image for the gateway board?
where is the *Zephyr* device tree overlay for the display?
how do I read the *STM32* timer in capture mode?
which *Arduino* pin drives the pump relay?
how do I pair the *Zigbee2MQTT* bridge with a new lamp?
where is the *HomeKit* accessory for the blinds declared?
how do I add a *Modbus* register for the inverter?
which *OPC* tag reports the temperature of the kiln?
how do I simulate the filter in *Simulink*?
where is the *MATLAB* script that fits the calibration curve?
how do I place and route the *Verilog* core on the board?
which *VHDL* entity holds the clock divider?
how do I write a constraint in *SystemVerilog* for the bus?
where is the *LabVIEW* instrument driver for the scope?
how do I animate the list with *Jetpack* on a tablet?
which *Xcode* scheme builds the watch extension?
how do I write a *Kotlin* flow for the *Android* sensor?
where is the *Ionic* page for the loyalty card?
how do I navigate between screens in *Xamarin*?
which *WPF* binding updates the order grid?
how do I host the *Blazor* page behind the proxy?
where is the *Umbraco* template for the careers page?
how do I add a *LiveView* component to the admin page in *Phoenix*?
which *Erlang* supervisor restarts the call router?
how do I write a macro in *Clojure* for the rules?
where is the *OCaml* functor that builds the parser?
how do I derive the instance in *PureScript* for the form?
which *Fortran* subroutine solves the pressure equation?
how do I call the *Julia* solver from the notebook?
where is the *Prolog* rule that picks the shift?
how do I compile the *Ada* package for the flight computer?
which *Smalltalk* image holds the pricing classes?
how do I write a contract in *Solidity* that pays a royalty?
where is the *Hyperledger* chaincode for the land register?
how do I sign the transaction with *Ledger* on *Solana*?
which *Asterisk* dialplan sends calls to the night desk?
how do I configure the *Juniper* switch for the guest network?
where is the *Cisco* access list for the printers?
how do I set up the *WireGuard* tunnel to the warehouse?
which *Zabbix* template watches the tape library?
how do I restore the *Veeam* backup of the file server?
where is the *VMware* snapshot policy for the test hosts?
how do I move the *Proxmox* guest to the second node?
which *Citrix* policy blocks the clipboard?
how do I enrol a laptop in *Intune*?
where is the *Okta* group for contractors managed?
how do I map the claims from *Keycloak* to our roles?
which *Jenkins* pipeline publishes the installer?
how do I add a stage to the *Spinnaker* pipeline of the shop?
where is the *Helm* chart for the image resizer?
how do I write an *Istio* rule that mirrors the traffic?
which *Nomad* job runs the thumbnailer?
how do I price a bond in *Quantlib*?
where is the *Tableau* workbook for the churn report?
how do I refresh the *Looker* explore for returns?
which *Alteryx* workflow cleans the address list?
how do I model the beam in *Abaqus*?
where is the *ArcGIS* layer of the flood zones?
how do I segment the scan with *SimpleITK*?
which *FHIR* resource keeps the allergy of a patient?
how do I print the label from *Zebra* ZPL at the packing desk?
"""


def probes(text: str) -> tuple[Probe, ...]:
    """The probes of a list, one a line."""
    lines = [line for line in text.splitlines() if line]
    return tuple(
        Probe(line.replace("*", ""), tuple(word.lower() for word in re.findall(r"\*([^*]+)\*", line))) for line in lines
    )
