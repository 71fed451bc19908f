"""Every rule that this game cites, in our own words, with the place it comes from.

"New edition" is Ravensburger's rulebook of the edition with Bobbies, by the heading of its section; a "ruling" is an
answer of ours where that book is silent or loose.
"""

from whitehall.games.core.rule import Rule

# Who may move what

OWN_PIECES = Rule(
    "SY-SEAT-01",
    "A seat moves its own pieces only; the Bobbies are moved by every seat of the detective side.",
    "Chacun ne déplace que ses propres pions ; les bobbies sont déplacés par tout joueur du camp des détectives.",
    "new edition, Préparation; ruling 7.4",
    permission=True,
)
PIECE_IN_GAME = Rule(
    "SY-SEAT-02",
    "Only the pieces that this number of players puts on the board take part.",
    "Seuls participent les pions prévus pour ce nombre de joueurs.",
    "new edition, Préparation; Variantes pour une partie à 2",
)

# Whose turn it is

GAME_IS_OVER = Rule(
    "SY-TURN-01",
    "Once the game is over, nobody moves any more.",
    "Une fois la partie terminée, plus personne ne se déplace.",
    "new edition, Les détectives gagnent si / Mister X gagne",
)
MR_X_THEN_HUNTERS = Rule(
    "SY-TURN-02",
    "In each round Mr X moves first, then the detectives and Bobbies move.",
    "À chaque tour, Mister X joue en premier ; les détectives et les bobbies jouent ensuite.",
    "new edition, Déroulement de la partie",
)
ONE_MOVE_EACH = Rule(
    "SY-TURN-03",
    "Each detective and each Bobby moves once in a round, in any order.",
    "Chaque détective et chaque bobby se déplace une fois par tour, dans un ordre libre.",
    "new edition, Déroulement de la partie",
)

# Where pieces start

PLACING_IS_OVER = Rule(
    "SY-START-01",
    "Pieces are placed before the first round, and only where their players place them.",
    "Les pions se placent avant le premier tour, et seulement si les joueurs les placent eux-mêmes.",
    "new edition, Préparation; ruling 7.8",
)
PLACING_COMES_FIRST = Rule(
    "SY-START-02",
    "The first round begins when every piece stands on the board.",
    "Le premier tour commence quand tous les pions sont sur le plateau.",
    "new edition, Préparation; ruling 7.8",
)
HUNTERS_PLACED_FIRST = Rule(
    "SY-START-03",
    "The detectives and Bobbies are placed first, then Mr X chooses his station in secret.",
    "Les détectives et les bobbies sont placés d'abord ; Mister X choisit ensuite sa station en secret.",
    "rulings C3 and 7.8",
)
PLACED_ONCE = Rule(
    "SY-START-04",
    "A piece is placed once, and then stays where it is until it moves.",
    "Un pion est placé une seule fois et reste en place jusqu'à son premier déplacement.",
    "rulings 7.8 and C16",
)
START_IS_FREE = Rule(
    "SY-START-05",
    "Every piece starts on a station of its own.",
    "Chaque pion commence sur une station qui lui est propre.",
    "new edition, Préparation; ruling 7.8",
)
START_IS_OFFERED = Rule(
    "SY-START-06",
    "Where stations are named for the hunters, they distribute their pieces over these.",
    "Si des stations sont désignées aux poursuivants, ils y répartissent leurs pions.",
    "Scotland Yard Master, start of the game; ruling 3.8",
)

# Where a piece may go

STATION_ON_BOARD = Rule(
    "SY-MOVE-01",
    "A move leads to a station of the board.",
    "Un déplacement mène à une station du plateau.",
    "new edition, Comment se déplace-t-on ?",
)
LINE_OF_TICKET = Rule(
    "SY-MOVE-02",
    "A move follows one line of the ticket's kind from the piece's station to the next stop.",
    "Un déplacement suit une seule ligne correspondant au ticket, de la station du pion jusqu'à l'arrêt suivant.",
    "new edition, Comment se déplace-t-on ?",
)
FERRY_FOR_BLACK = Rule(
    "SY-MOVE-03",
    "The ferry carries Mr X alone, and only for a black ticket.",
    "Le ferry ne transporte que Mister X, et seulement contre un Black Ticket.",
    "new edition, Black Tickets",
)
FREE_STATION = Rule(
    "SY-MOVE-04",
    "No piece moves onto a station where a detective or a Bobby stands.",
    "Aucun pion ne se rend sur une station occupée par un détective ou un bobby.",
    "new edition, Comment se déplace-t-on ?; ruling 2.3",
)

# What it costs

TICKET_IN_HAND = Rule(
    "SY-TICKET-01",
    "A detective needs a ticket for the transport and spends it, so that Mr X can draw it from then on.",
    "Un détective doit posséder un ticket du transport utilisé ; il le dépense, et Mister X peut ensuite y puiser.",
    "new edition, Règles à appliquer durant la partie",
)
TICKET_IN_SUPPLY = Rule(
    "SY-TICKET-02",
    "Mr X takes each normal ticket from the common supply, so one must be there.",
    "Mister X prend chaque ticket normal dans la pioche commune : il doit donc en rester un.",
    "new edition, Préparation; ruling 2.5",
)
BLACK_LEFT = Rule(
    "SY-TICKET-03",
    "Mr X needs a black ticket that he has not spent yet.",
    "Mister X doit encore posséder un Black Ticket.",
    "new edition, Black Tickets",
)
BLACK_FOR_MR_X = Rule(
    "SY-TICKET-04",
    "Only Mr X uses black tickets, unless a house rule deals some to the detectives; a Bobby never does.",
    "Seul Mister X utilise des Black Tickets, sauf variante qui en donne aux détectives ; un bobby jamais.",
    "new edition, Black Tickets; ruling on contradiction C2",
)
TICKET_OF_MR_X = Rule(
    "SY-TICKET-05",
    "Mr X spends normal tickets of his own: those dealt to him and all that detectives have spent.",
    "Mister X dépense ses propres tickets normaux : ceux reçus au départ et ceux dépensés par les détectives.",
    "classic edition, tickets; ruling 2.5",
)

# The double move

DOUBLE_LEFT = Rule(
    "SY-DOUBLE-01",
    "A double move takes a double ticket, which then leaves the game.",
    "Un coup double exige un ticket Coup double, qui est ensuite retiré du jeu.",
    "new edition, Coup double",
)
ONE_DOUBLE_A_ROUND = Rule(
    "SY-DOUBLE-02",
    "Mr X uses one double ticket in a round at most.",
    "Mister X n'utilise qu'un seul ticket Coup double par tour.",
    "new edition, Coup double",
)
DOUBLE_TICKETS_TOGETHER = Rule(
    "SY-DOUBLE-03",
    "A double move needs the tickets of both its halves at the moment it is declared.",
    "Un coup double exige dès son annonce les tickets de ses deux déplacements.",
    "new edition, Coup double; ruling 2.7",
)
DOUBLE_NEEDS_TWO_FIELDS = Rule(
    "SY-DOUBLE-04",
    "A double move fills two fields of the log, so two must be free.",
    "Un coup double occupe deux cases de la tablette : il doit donc en rester deux.",
    "new edition, Coup double; ruling 2.7",
)

# Staying where one is

PASS_IS_FORCED = Rule(
    "SY-PASS-01",
    "A detective or Bobby passes only when it cannot move.",
    "Un détective ou un bobby ne passe son tour que s'il ne peut pas se déplacer.",
    "new edition, Déroulement de la partie; Règles à appliquer durant la partie",
)
BLOCKED_WAITS = Rule(
    "SY-PASS-02",
    "A piece that is only blocked by others waits until no other hunter can still move.",
    "Un pion seulement bloqué par d'autres attend qu'aucun autre poursuivant ne puisse plus se déplacer.",
    "rulings 2.9 and 7.3",
)
MR_X_NEVER_PASSES = Rule(
    "SY-PASS-03",
    "Mr X moves in every round.",
    "Mister X se déplace à chaque tour.",
    "new edition, Déroulement de la partie",
)

# Moves of several hunters at once

HUNTERS_ONLY_TOGETHER = Rule(
    "SY-BATCH-01",
    "Only the moves of detectives and Bobbies may be sent together.",
    "Seuls les déplacements des détectives et des bobbies peuvent être envoyés ensemble.",
    "ruling 7.1",
)
BATCH_HOLDS_A_MOVE = Rule(
    "SY-BATCH-02",
    "Moves sent together are at least one.",
    "Un envoi groupé contient au moins un déplacement.",
    "ruling 7.1",
)

# The special actions of the app game

ACTION_OF_DETECTIVES = Rule(
    "SY-ACTION-01",
    "Special actions belong to the detective side; each of its seats may use them for all.",
    "Les actions spéciales appartiennent au camp des détectives ; chacune de ses places peut les utiliser pour tous.",
    "Master, The Detectives in the App; ruling 7.4",
    permission=True,
)
APP_GAME_ONLY = Rule(
    "SY-ACTION-02",
    "Special actions are part of the game with the app only.",
    "Les actions spéciales n'existent que dans le jeu avec l'application.",
    "Master, Playing With the App; rulings 3.4 and 3.6",
)
ACTION_BEFORE_HUNTERS = Rule(
    "SY-ACTION-03",
    "A special action comes after Mr X's move and before any detective or Bobby moves.",
    "Une action spéciale se joue après le déplacement de Mister X et avant celui de tout détective ou bobby.",
    "Master, Sequence of Play With the App; ruling 3.1",
)
ACTION_ONCE_A_ROUND = Rule(
    "SY-ACTION-04",
    "In one round the detectives together use no more special actions than the game allows: one, unless set otherwise.",
    "À chaque tour, les détectives n'utilisent ensemble que le nombre d'actions spéciales prévu : une, sauf réglage.",
    "Master, The Detectives in the App; ruling 3.1",
)
ACTION_HIDDEN_ONLY = Rule(
    "SY-ACTION-05",
    "There is no special action while Mr X's pawn stands on the board, unless the game allows it.",
    "Pas d'action spéciale tant que le pion de Mister X est sur le plateau, sauf réglage contraire.",
    "ruling 3.1",
)
ACTION_EVERY_SO_OFTEN = Rule(
    "SY-ACTION-06",
    "Where the game sets a pause, so many rounds after a special action have none.",
    "Si une pause est prévue, aucune action spéciale n'est possible pendant ce nombre de tours.",
    "ruling 3.1",
)
ACTION_OFFERED = Rule(
    "SY-ACTION-07",
    "Only the special actions that the round offers can be used.",
    "Seules les actions spéciales proposées durant ce tour peuvent être utilisées.",
    "Master, The Detectives in the App; ruling 3.1",
)
ACTION_AGAIN = Rule(
    "SY-ACTION-08",
    "Where the game sets a limit, each special action is used so often at most.",
    "Si une limite est prévue, chaque action spéciale n'est utilisée que ce nombre de fois au plus.",
    "ruling 3.1",
)
CHOICE_FIRST = Rule(
    "SY-ACTION-09",
    "Where several landmarks show a question mark, one is chosen before anything else is done.",
    "Si plusieurs lieux portent un point d'interrogation, l'un d'eux est choisi avant toute autre chose.",
    "Master, The Detectives in the App; ruling 7.7",
)
NOTHING_TO_HEAR = Rule(
    "SY-ACTION-10",
    "Witnesses are chosen only after an Interrogation that found several landmarks, and once.",
    "On ne choisit des témoins qu'après un interrogatoire ayant désigné plusieurs lieux, et une seule fois.",
    "Master, The Detectives in the App; ruling 7.7",
)
HEAR_WHERE_SEEN = Rule(
    "SY-ACTION-11",
    "Only the witnesses at a landmark with a question mark have something to say.",
    "Seuls les témoins d'un lieu marqué d'un point d'interrogation ont quelque chose à dire.",
    "Master, The Detectives in the App; ruling 3.7",
)
LANDMARK_ON_BOARD = Rule(
    "SY-ACTION-12",
    "A landmark is one of those that the game's options name.",
    "Un lieu est l'un de ceux que nomment les options de la partie.",
    "Master, The Detectives in the App; ruling 3.7",
)

# The helicopter of the app game

HELICOPTER_FOR_MR_X = Rule(
    "SY-HELICOPTER-01",
    "Only Mr X flies by helicopter, and to another station than his own.",
    "Seul Mister X prend l'hélicoptère, et pour une autre station que la sienne.",
    "Master, The Detectives in the App; ruling 3.3",
)
HELICOPTER_LEFT = Rule(
    "SY-HELICOPTER-02",
    "A flight takes a helicopter ticket that Mr X has not spent yet; it then leaves the game.",
    "Un vol exige un ticket Hélicoptère encore disponible, qui est ensuite retiré du jeu.",
    "Master, The Detectives in the App; ruling 3.3",
)
HELICOPTER_ALONE = Rule(
    "SY-HELICOPTER-03",
    "A flight is no half of a double move, unless the game allows it.",
    "Un vol ne fait pas partie d'un coup double, sauf réglage contraire.",
    "ruling 3.3",
)

# How the game ends

CAPTURE = Rule(
    "SY-END-01",
    "The detectives win as soon as a detective or Bobby moves onto Mr X's station.",
    "Les détectives gagnent dès qu'un détective ou un bobby se rend sur la station de Mister X.",
    "new edition, Les détectives gagnent si",
)
MR_X_CORNERED = Rule(
    "SY-END-02",
    "The detectives win when it is Mr X's turn and he cannot move to a free station.",
    "Les détectives gagnent si Mister X, à son tour, ne peut se rendre sur aucune station libre.",
    "new edition, Comment se déplace-t-on ?; ruling 2.4",
)
DETECTIVES_IMMOBILE = Rule(
    "SY-END-03",
    "Mr X wins when, at the end of a round, no detective has a ticket for any line at its station.",
    "Mister X gagne si, à la fin d'un tour, aucun détective n'a de ticket pour une ligne de sa station.",
    "new edition, Mister X gagne; ruling 2.10",
)
LAST_ROUND = Rule(
    "SY-END-04",
    "Mr X wins when the hunters have moved in the last round without catching him.",
    "Mister X gagne si les poursuivants ont joué le dernier tour sans l'attraper.",
    "new edition, Mister X gagne",
)
LOG_IS_FULL = Rule(
    "SY-END-05",
    "Mr X wins when the hunters have answered the move that filled the last field of his log.",
    "Mister X gagne lorsque les poursuivants ont répondu au déplacement qui remplit la dernière case de sa tablette.",
    "classic edition, end of the game; ruling 7.2",
)
LAST_BLACK_SPENT = Rule(
    "SY-END-06",
    "Where the house plays so, Mr X wins when the hunters have answered his last black ticket without catching him.",
    "Selon la variante, Mister X gagne s'il n'est pas attrapé après la réponse à son dernier Black Ticket.",
    "house rule; rulings C4 and 7.8",
)
MEETING_POINTS_REACHED = Rule(
    "SY-END-07",
    "Mr X wins as soon as he has reached as many meeting points as a win takes: two, unless set otherwise.",
    "Mister X gagne dès qu'il atteint le nombre de points de rencontre requis : deux, sauf réglage contraire.",
    "Master, Mister X in the App; ruling 3.2",
)
MEETING_POINT_MISSED = Rule(
    "SY-END-08",
    "The detectives win when the game is over and Mr X has not reached the meeting points that he had to: one,"
    " unless set otherwise.",
    "Les détectives gagnent si la partie se termine sans que Mister X ait atteint les points de rencontre imposés : un,"
    " sauf réglage contraire.",
    "Master, Mister X in the App; ruling 3.2",
)

# Options that cannot work

KNOWN_PRESET = Rule(
    "SY-OPTION-01",
    "A game is made from one of the presets that the catalog lists.",
    "Une partie se crée à partir d'un préréglage du catalogue.",
    "ruling 7.2",
)
NUMBER_OF_PLAYERS = Rule(
    "SY-OPTION-02",
    "The preset has a set-up for this number of players.",
    "Le préréglage prévoit ce nombre de joueurs.",
    "new edition, Préparation",
)
MR_X_SITS_ALONE = Rule(
    "SY-OPTION-03",
    "Seat 0 holds Mr X and nothing else.",
    "La place 0 revient à Mister X seul.",
    "new edition, Préparation; ruling 7.4",
)
SEATS_SHARE_DETECTIVES = Rule(
    "SY-OPTION-04",
    "Every detective of the game belongs to exactly one seat, and every other seat holds at least one.",
    "Chaque détective appartient à une seule place, et chaque autre place en tient au moins un.",
    "new edition, Préparation; ruling 7.4",
)
BOBBIES_HAVE_NO_SEAT = Rule(
    "SY-OPTION-05",
    "Bobbies belong to no seat.",
    "Les bobbies n'appartiennent à aucune place.",
    "new edition, Préparation",
)
ONE_HAND_ONE_SEAT = Rule(
    "SY-OPTION-06",
    "Against a single player the detectives share one hand, and so one seat.",
    "Face à un seul joueur, les détectives partagent leurs tickets et donc une seule place.",
    "new edition, Variantes pour une partie à 2",
)
KNOWN_HOUSE_RULE = Rule(
    "SY-OPTION-07",
    "A house rule is one of those that the catalog lists, named once.",
    "Une variante figure au catalogue et n'est nommée qu'une fois.",
    "ruling 7.2",
)
WITHIN_RANGE = Rule(
    "SY-OPTION-08",
    "Every number of an option lies in the range that the catalog gives.",
    "Chaque nombre d'une option reste dans les limites du catalogue.",
    "ruling 7.2",
)
KNOWN_BOARD = Rule(
    "SY-OPTION-09",
    "A game is played on one of the boards that the catalog lists.",
    "Une partie se joue sur un plateau du catalogue.",
    "ruling 7.2",
)
OPTION_HAS_EFFECT = Rule(
    "SY-OPTION-10",
    "An option is given only where it has an effect beside the others.",
    "Une option n'est donnée que si elle a un effet à côté des autres.",
    "ruling 7.2",
)
MR_X_HAND_GIVEN = Rule(
    "SY-OPTION-11",
    "Where Mr X lives on what detectives spend, he has a hand to begin with.",
    "Si Mister X vit des tickets dépensés par les détectives, il reçoit une main de départ.",
    "classic edition, tickets; ruling 7.2",
)
BOX_HOLDS_HANDS = Rule(
    "SY-OPTION-12",
    "The box holds the tickets of all detectives.",
    "La boîte contient les tickets de tous les détectives.",
    "new edition, Préparation; ruling 7.2",
)
LOG_HOLDS_GAME = Rule(
    "SY-OPTION-13",
    "The log has a field for every round and one more for every double ticket.",
    "La tablette compte une case par tour et une de plus par ticket Coup double.",
    "ruling 7.2",
)
SURFACING_ON_LOG = Rule(
    "SY-OPTION-14",
    "Mr X surfaces at fields that the log has, listed in ascending order and each once.",
    "Mister X apparaît à des cases de la tablette, citées une fois et en ordre croissant.",
    "new edition, Mister X apparaît; ruling 7.2",
)
CARDS_ON_BOARD = Rule(
    "SY-OPTION-15",
    "Start cards name stations of the board, each once in a deck.",
    "Les cartes de départ désignent des stations du plateau, chacune une fois par paquet.",
    "new edition, Préparation; ruling 7.6",
)
CARDS_FOR_ALL = Rule(
    "SY-OPTION-16",
    "There is a start card for every piece, whichever the others draw.",
    "Il y a une carte de départ pour chaque pion, quelles que soient celles des autres.",
    "new edition, Préparation; ruling 7.6",
)
BLACK_TO_SPEND = Rule(
    "SY-OPTION-17",
    "Where the last black ticket wins, Mr X has one to begin with.",
    "Si le dernier Black Ticket fait gagner, Mister X en reçoit au moins un.",
    "ruling 7.8",
)
STATION_FOR_ALL = Rule(
    "SY-OPTION-18",
    "Where players choose where they start, the board has a station for every piece.",
    "Si les joueurs choisissent leur départ, le plateau compte une station pour chaque pion.",
    "rulings 7.2 and 7.8",
)
MASTER_IN_APP_GAME = Rule(
    "SY-OPTION-19",
    "The options of the app game belong to the presets that play with it.",
    "Les options du jeu avec l'application n'appartiennent qu'aux préréglages qui l'utilisent.",
    "Master, Playing With the App; ruling 7.2",
)
MASTS_ON_BOARD = Rule(
    "SY-OPTION-20",
    "Masts stand at stations of the board, none at the same one, and taxis join every station to them.",
    "Les antennes se trouvent à des stations différentes du plateau, que des taxis relient à toutes les autres.",
    "Master, The Detectives in the App; rulings 3.5 and 7.2",
)
NEAR_BEFORE_FAR = Rule(
    "SY-OPTION-21",
    "What Locate calls near ends before what it calls a medium distance does.",
    "Pour Locate, la zone proche s'arrête avant la zone moyenne.",
    "rulings 3.5 and 7.2",
)
LANDMARKS_ON_BOARD = Rule(
    "SY-OPTION-22",
    "Each landmark has a name of its own and stands at stations of the board, named once.",
    "Chaque lieu porte un nom qui lui est propre et se trouve à des stations du plateau, citées une fois.",
    "Master, The Detectives in the App; rulings 3.7 and 7.2",
)
MEETINGS_ON_LOG = Rule(
    "SY-OPTION-23",
    "Meeting points appear after fields that the log has, in ascending order, and there are as many as Mr X may need.",
    "Les points de rencontre apparaissent après des cases de la tablette, en ordre croissant, et sont assez nombreux.",
    "Master, Mister X in the App; rulings 3.2 and 7.2",
)


RULES: tuple[Rule, ...] = tuple(value for value in dict(vars()).values() if isinstance(value, Rule))
"""All of them, in the order of this file."""
