BEGIN TRANSACTION;
CREATE TABLE entries (
	table_id INTEGER NOT NULL, 
	n INTEGER NOT NULL, 
	entry TEXT NOT NULL, 
	PRIMARY KEY (table_id, n), 
	CONSTRAINT entries_table FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID

;
INSERT INTO "entries" VALUES(1,0,'{"is":"sat","seat":"ostrogoth-king","holder":"90df6c25682524c6f09a5ed20a53f4d8076b022d","name":"Bo"}');
INSERT INTO "entries" VALUES(1,1,'{"is":"sat","seat":"ostrogoth-warchief","holder":"28df2f9fd0175cd4453b75cd2796c059f254036b","name":"Bo"}');
INSERT INTO "entries" VALUES(1,2,'{"is":"sat","seat":"visigoth-king","holder":"25dea1c773b9fbc0abc375a18f38f78d92bda782","name":"Bo"}');
INSERT INTO "entries" VALUES(1,3,'{"is":"sat","seat":"visigoth-warchief","holder":"8f4fda6a0d03b01b4d26967cc7e8a17977451857","name":"Bo"}');
INSERT INTO "entries" VALUES(1,4,'{"is":"chose","seat":"ostrogoth-king","choice":"order:catapult/barbarian"}');
INSERT INTO "entries" VALUES(1,5,'{"is":"chose","seat":"visigoth-king","choice":"order:barbarian/catapult"}');
INSERT INTO "entries" VALUES(1,6,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:sabotage"}');
INSERT INTO "entries" VALUES(1,7,'{"is":"chose","seat":"visigoth-warchief","choice":"act:rats"}');
INSERT INTO "entries" VALUES(1,8,'{"is":"chose","seat":"visigoth-king","choice":"order:catapult/recruiter"}');
INSERT INTO "entries" VALUES(1,9,'{"is":"chose","seat":"ostrogoth-king","choice":"order:barbarian/catapult"}');
INSERT INTO "entries" VALUES(1,10,'{"is":"chose","seat":"visigoth-warchief","choice":"act:reconnoitre"}');
INSERT INTO "entries" VALUES(1,11,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:fire"}');
INSERT INTO "entries" VALUES(1,12,'{"is":"chose","seat":"ostrogoth-king","choice":"order:vulture/barbarian"}');
INSERT INTO "entries" VALUES(1,13,'{"is":"chose","seat":"visigoth-king","choice":"order:vulture/recruiter"}');
INSERT INTO "entries" VALUES(1,14,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:fire"}');
INSERT INTO "entries" VALUES(1,15,'{"is":"chose","seat":"visigoth-warchief","choice":"act:reconnoitre"}');
INSERT INTO "entries" VALUES(1,16,'{"is":"chose","seat":"visigoth-warchief","choice":"look:objective-1"}');
INSERT INTO "entries" VALUES(1,17,'{"is":"chose","seat":"visigoth-king","choice":"order:catapult/barbarian"}');
INSERT INTO "entries" VALUES(1,18,'{"is":"chose","seat":"ostrogoth-king","choice":"order:catapult/recruiter"}');
INSERT INTO "entries" VALUES(1,19,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:sabotage"}');
INSERT INTO "entries" VALUES(1,20,'{"is":"chose","seat":"visigoth-warchief","choice":"act:load"}');
INSERT INTO "entries" VALUES(1,21,'{"is":"chose","seat":"ostrogoth-king","choice":"order:barbarian/vulture"}');
INSERT INTO "entries" VALUES(1,22,'{"is":"chose","seat":"visigoth-king","choice":"order:recruiter/vulture"}');
INSERT INTO "entries" VALUES(1,23,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:sabotage"}');
INSERT INTO "entries" VALUES(1,24,'{"is":"chose","seat":"visigoth-warchief","choice":"act:advance"}');
INSERT INTO "entries" VALUES(1,25,'{"is":"chose","seat":"visigoth-king","choice":"order:catapult/recruiter"}');
INSERT INTO "entries" VALUES(1,26,'{"is":"chose","seat":"ostrogoth-king","choice":"order:vulture/recruiter"}');
INSERT INTO "entries" VALUES(1,27,'{"is":"chose","seat":"visigoth-warchief","choice":"act:recruit"}');
INSERT INTO "entries" VALUES(1,28,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:rats"}');
INSERT INTO "entries" VALUES(1,29,'{"is":"chose","seat":"ostrogoth-king","choice":"order:catapult/recruiter"}');
INSERT INTO "entries" VALUES(1,30,'{"is":"chose","seat":"visigoth-king","choice":"order:catapult/recruiter"}');
INSERT INTO "entries" VALUES(1,31,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:load"}');
INSERT INTO "entries" VALUES(1,32,'{"is":"chose","seat":"visigoth-warchief","choice":"act:rats"}');
INSERT INTO "entries" VALUES(1,33,'{"is":"chose","seat":"visigoth-king","choice":"order:catapult/barbarian"}');
INSERT INTO "entries" VALUES(1,34,'{"is":"chose","seat":"ostrogoth-king","choice":"order:barbarian/vulture"}');
INSERT INTO "entries" VALUES(1,35,'{"is":"chose","seat":"visigoth-warchief","choice":"act:barricade"}');
INSERT INTO "entries" VALUES(1,36,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:barricade"}');
INSERT INTO "entries" VALUES(1,37,'{"is":"chose","seat":"ostrogoth-king","choice":"order:vulture/barbarian"}');
INSERT INTO "entries" VALUES(1,38,'{"is":"chose","seat":"visigoth-king","choice":"order:vulture/recruiter"}');
INSERT INTO "entries" VALUES(1,39,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:sabotage"}');
INSERT INTO "entries" VALUES(1,40,'{"is":"chose","seat":"visigoth-warchief","choice":"act:rats"}');
INSERT INTO "entries" VALUES(1,41,'{"is":"chose","seat":"visigoth-king","choice":"order:vulture/barbarian"}');
INSERT INTO "entries" VALUES(1,42,'{"is":"chose","seat":"ostrogoth-king","choice":"order:vulture/recruiter"}');
INSERT INTO "entries" VALUES(1,43,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:axe"}');
INSERT INTO "entries" VALUES(1,44,'{"is":"chose","seat":"visigoth-warchief","choice":"act:recruit"}');
INSERT INTO "entries" VALUES(1,45,'{"is":"chose","seat":"ostrogoth-king","choice":"order:barbarian/catapult"}');
INSERT INTO "entries" VALUES(1,46,'{"is":"chose","seat":"visigoth-king","choice":"order:recruiter/vulture"}');
INSERT INTO "entries" VALUES(1,47,'{"is":"chose","seat":"visigoth-warchief","choice":"act:reconnoitre"}');
INSERT INTO "entries" VALUES(1,48,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:advance"}');
INSERT INTO "entries" VALUES(1,49,'{"is":"chose","seat":"visigoth-warchief","choice":"look:objective-2"}');
INSERT INTO "entries" VALUES(1,50,'{"is":"chose","seat":"visigoth-king","choice":"order:barbarian/vulture"}');
INSERT INTO "entries" VALUES(1,51,'{"is":"chose","seat":"ostrogoth-king","choice":"order:barbarian/catapult"}');
INSERT INTO "entries" VALUES(1,52,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:load"}');
INSERT INTO "entries" VALUES(1,53,'{"is":"chose","seat":"visigoth-warchief","choice":"act:fire"}');
INSERT INTO "entries" VALUES(1,54,'{"is":"chose","seat":"ostrogoth-king","choice":"order:recruiter/catapult"}');
INSERT INTO "entries" VALUES(1,55,'{"is":"chose","seat":"visigoth-king","choice":"order:barbarian/catapult"}');
INSERT INTO "entries" VALUES(1,56,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:recruit"}');
INSERT INTO "entries" VALUES(1,57,'{"is":"chose","seat":"visigoth-warchief","choice":"act:sabotage"}');
INSERT INTO "entries" VALUES(1,58,'{"is":"chose","seat":"visigoth-king","choice":"order:catapult/recruiter"}');
INSERT INTO "entries" VALUES(1,59,'{"is":"chose","seat":"ostrogoth-king","choice":"order:recruiter/catapult"}');
INSERT INTO "entries" VALUES(1,60,'{"is":"chose","seat":"visigoth-warchief","choice":"act:rats"}');
INSERT INTO "entries" VALUES(1,61,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:fire"}');
INSERT INTO "entries" VALUES(1,62,'{"is":"chose","seat":"ostrogoth-king","choice":"order:barbarian/catapult"}');
INSERT INTO "entries" VALUES(1,63,'{"is":"chose","seat":"visigoth-king","choice":"order:catapult/barbarian"}');
INSERT INTO "entries" VALUES(1,64,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:fire"}');
INSERT INTO "entries" VALUES(1,65,'{"is":"chose","seat":"visigoth-warchief","choice":"act:recruit"}');
INSERT INTO "entries" VALUES(1,66,'{"is":"chose","seat":"visigoth-king","choice":"order:catapult/recruiter"}');
INSERT INTO "entries" VALUES(1,67,'{"is":"chose","seat":"ostrogoth-king","choice":"order:barbarian/vulture"}');
INSERT INTO "entries" VALUES(1,68,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:reconnoitre"}');
INSERT INTO "entries" VALUES(1,69,'{"is":"chose","seat":"visigoth-warchief","choice":"act:rats"}');
INSERT INTO "entries" VALUES(1,70,'{"is":"chose","seat":"ostrogoth-king","choice":"order:vulture/recruiter"}');
INSERT INTO "entries" VALUES(1,71,'{"is":"chose","seat":"visigoth-king","choice":"order:recruiter/vulture"}');
INSERT INTO "entries" VALUES(1,72,'{"is":"chose","seat":"visigoth-warchief","choice":"act:reconnoitre"}');
INSERT INTO "entries" VALUES(1,73,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:reconnoitre"}');
INSERT INTO "entries" VALUES(1,74,'{"is":"chose","seat":"ostrogoth-warchief","choice":"look:objective-2"}');
INSERT INTO "entries" VALUES(1,75,'{"is":"chose","seat":"visigoth-king","choice":"order:barbarian/catapult"}');
INSERT INTO "entries" VALUES(1,76,'{"is":"chose","seat":"ostrogoth-king","choice":"order:barbarian/vulture"}');
INSERT INTO "entries" VALUES(1,77,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:recruit"}');
INSERT INTO "entries" VALUES(1,78,'{"is":"chose","seat":"visigoth-warchief","choice":"act:axe"}');
INSERT INTO "entries" VALUES(1,79,'{"is":"chose","seat":"ostrogoth-king","choice":"order:recruiter/vulture"}');
INSERT INTO "entries" VALUES(1,80,'{"is":"chose","seat":"visigoth-king","choice":"order:barbarian/vulture"}');
INSERT INTO "entries" VALUES(1,81,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:barricade"}');
INSERT INTO "entries" VALUES(1,82,'{"is":"chose","seat":"visigoth-warchief","choice":"act:rats"}');
INSERT INTO "entries" VALUES(1,83,'{"is":"chose","seat":"visigoth-king","choice":"order:barbarian/vulture"}');
INSERT INTO "entries" VALUES(1,84,'{"is":"chose","seat":"ostrogoth-king","choice":"order:vulture/barbarian"}');
INSERT INTO "entries" VALUES(1,85,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:load"}');
INSERT INTO "entries" VALUES(1,86,'{"is":"chose","seat":"visigoth-warchief","choice":"act:rats"}');
INSERT INTO "entries" VALUES(2,0,'{"is":"sat","seat":"ostrogoth-king","holder":"90df6c25682524c6f09a5ed20a53f4d8076b022d","name":"Bo"}');
INSERT INTO "entries" VALUES(2,1,'{"is":"sat","seat":"ostrogoth-warchief","holder":"28df2f9fd0175cd4453b75cd2796c059f254036b","name":"Bo"}');
INSERT INTO "entries" VALUES(2,2,'{"is":"sat","seat":"visigoth-king","holder":"25dea1c773b9fbc0abc375a18f38f78d92bda782","name":"Bo"}');
INSERT INTO "entries" VALUES(2,3,'{"is":"sat","seat":"visigoth-warchief","holder":"8f4fda6a0d03b01b4d26967cc7e8a17977451857","name":"Bo"}');
INSERT INTO "entries" VALUES(2,4,'{"is":"chose","seat":"ostrogoth-king","choice":"order:barbarian/vulture"}');
INSERT INTO "entries" VALUES(2,5,'{"is":"chose","seat":"visigoth-king","choice":"order:vulture/recruiter"}');
INSERT INTO "entries" VALUES(2,6,'{"is":"chose","seat":"visigoth-warchief","choice":"act:recruit"}');
INSERT INTO "entries" VALUES(2,7,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:load"}');
INSERT INTO "entries" VALUES(2,8,'{"is":"chose","seat":"visigoth-king","choice":"order:barbarian/vulture"}');
INSERT INTO "entries" VALUES(2,9,'{"is":"chose","seat":"ostrogoth-king","choice":"order:vulture/barbarian"}');
INSERT INTO "entries" VALUES(2,10,'{"is":"chose","seat":"visigoth-warchief","choice":"act:load"}');
INSERT INTO "entries" VALUES(2,11,'{"is":"chose","seat":"ostrogoth-warchief","choice":"act:barricade"}');
INSERT INTO "entries" VALUES(2,12,'{"is":"chose","seat":"ostrogoth-king","choice":"order:catapult/recruiter"}');
INSERT INTO "entries" VALUES(3,0,'{"is":"sat","seat":"gold","holder":"01cabbe2412152f833eaa8b5b9baaf7c5cb0f555","name":"Bo"}');
INSERT INTO "entries" VALUES(3,1,'{"is":"sat","seat":"green","holder":"2db7e4a06e799e9cf6d49eee8e46f5245aa07180","name":"Bo"}');
INSERT INTO "entries" VALUES(3,2,'{"is":"chose","seat":"green","choice":"plan:axx,filchy,archr,horsie,charriott,druhid"}');
INSERT INTO "entries" VALUES(3,3,'{"is":"chose","seat":"gold","choice":"plan:charriott,qween,axx,archr,druhid,zvord"}');
INSERT INTO "entries" VALUES(3,4,'{"is":"chose","seat":"gold","choice":"pay:ordinary-5"}');
INSERT INTO "entries" VALUES(3,5,'{"is":"chose","seat":"gold","choice":"plan:charriott,qween,charriott,zvord,horsie,druhid"}');
INSERT INTO "entries" VALUES(3,6,'{"is":"chose","seat":"green","choice":"plan:qween,filchy,horsie,charriott,charriott,archr"}');
INSERT INTO "entries" VALUES(4,0,'{"is":"sat","seat":"ostrogoth-king","holder":"8f05a6f4e97b849d1a34e3e481666f215bc73bd1","name":"Ann"}');
CREATE TABLE meadhall_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT meadhall_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "meadhall_version" VALUES('first');
CREATE TABLE presence (
	table_id INTEGER NOT NULL, 
	holder TEXT NOT NULL, 
	seen DOUBLE NOT NULL, 
	PRIMARY KEY (table_id, holder)
)
 WITHOUT ROWID

;
INSERT INTO "presence" VALUES(2,'25dea1c773b9fbc0abc375a18f38f78d92bda782',1500000000.0);
CREATE TABLE tables (
	id INTEGER NOT NULL, 
	code TEXT NOT NULL, 
	game TEXT NOT NULL, 
	header TEXT NOT NULL, 
	phase TEXT NOT NULL, 
	public BOOLEAN NOT NULL, 
	created DOUBLE NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT tables_code UNIQUE (code)
);
INSERT INTO "tables" VALUES(1,'Q5V86C','goths','{"game":"goths","rules":{},"setup":{"objectives":["queen","plains","trap"]},"host":"8f05a6f4e97b849d1a34e3e481666f215bc73bd1","hints":false,"format":1}','over',1,1.79496282150387740129e+09);
INSERT INTO "tables" VALUES(2,'77GTQF','goths','{"game":"goths","rules":{},"setup":{"objectives":["plains","trap","queen"]},"host":"8f05a6f4e97b849d1a34e3e481666f215bc73bd1","hints":false,"format":1}','playing',1,1.79496282181972789766e+09);
INSERT INTO "tables" VALUES(3,'KKZTX2','romans','{"game":"romans","rules":{"players":["gold","green"]},"setup":{"forts":["legion-3","ordinary-6","ordinary-3","ordinary-5","tax-8","ordinary-6","unwary-2","legion-2","signal-4","ordinary-3","ordinary-5","signal-4","legion-1","ordinary-4","legion-2","ordinary-1","ordinary-1","unwary-2"],"hands":[{"gold":["druhid","zvord","qween","charriott","axx","charriott","archr"],"green":["horsie","axx","charriott","qween","archr","filchy","druhid"]},{"gold":["druhid","qween","horsie","zvord","charriott","charriott","axx"],"green":["charriott","archr","horsie","filchy","qween","charriott","zvord"]},{"gold":["druhid","horsie","filchy","charriott","archr","axx","charriott"],"green":["druhid","zvord","archr","axx","qween","filchy","horsie"]}]},"host":"8f05a6f4e97b849d1a34e3e481666f215bc73bd1","hints":false,"format":1}','playing',1,1.79496282191101098058e+09);
INSERT INTO "tables" VALUES(4,'HDFP7Z','goths','{"game":"goths","rules":{},"setup":{"objectives":["queen","trap","plains"]},"host":"8f05a6f4e97b849d1a34e3e481666f215bc73bd1","hints":false,"format":1}','open',0,1.79496282192523384096e+09);
CREATE INDEX tables_listed ON tables (phase, public, id);
CREATE INDEX tables_listed_game ON tables (phase, public, game, id);
COMMIT;
